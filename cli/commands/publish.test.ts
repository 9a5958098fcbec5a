import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { toDigest } from "@/lib/server/images/archive/test-archives";
import { givenCli, KEY, sendJson, SOURCE } from "@/tests/cli/publishing-cli";
import { readEntries } from "@/tests/received-bundles";
import { one } from "@/tests/test-platform";

const cli = givenCli();

describe("publish", () => {
  test("raises the second number, keeps the layout, and sends the exact bytes of each layer", async () => {
    const archive = await cli.writeArchive();
    const uploads = cli.accept();
    expect(await cli.publish(), cli.output.notes.join("\n")).toBe(0);
    expect(uploads.map(({ version }) => version)).toEqual(["1.5.0"]);
    const sent = [...cli.blobs].map(([digest, { content }]) => [digest, toDigest(content)]);
    expect(sent.map(([, digest]) => digest)).toEqual(sent.map(([digest]) => digest));
    const layer = (await readEntries(archive)).find(({ name }) => name === "0/layer.tar");
    expect([...cli.blobs.keys()]).toContain(toDigest(layer?.content ?? Buffer.alloc(0)));
    expect(await readFile(cli.manifestFile, "utf8")).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(cli.output.results.join("\n")).toMatch(
      /1\.5\.0[^]*sha256:aa[^]*http:\/\/localhost\/publish\/x-app/,
    );
  });

  test("with --from, the platform gets the reference and the credentials, and no image is uploaded", async () => {
    const from = `registry.example/app@sha256:${"a".repeat(64)}`;
    let body: unknown;
    cli.answer = async (request, response) => {
      expect(request.headers["content-type"]).toBe("application/json");
      body = JSON.parse((await buffer(request)).toString());
      const listingUrl = "http://localhost/publish/x-app";
      const warnings = ["It has no command."];
      sendJson(response, 201, { version: "1.5.0", imageDigest: "sha256:aa", listingUrl, warnings });
    };
    cli.registry = { registryUsername: "ci", registryPassword: "secret" };
    const argv = ["publish", "--from", from, "--manifest", cli.manifestFile];
    expect(await cli.run(argv), cli.output.notes.join("\n")).toBe(0);
    expect(body).toEqual({ from, username: "ci", password: "secret" });
    expect(cli.blobs.size).toBe(0);
    expect(cli.output.notes).toContain("Warning: It has no command.");
    expect(await cli.written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(cli.output.lines.join("\n")).not.toContain("secret");
    for (const more of [[cli.archiveFile], ["--build", "."], ["--add-manifest"], ["--platform", "amd64"]])
      expect(await cli.run([...argv, ...more])).toBe(2);
    // The platform chooses among the variants that the registry has.
    await writeFile(cli.manifestFile, SOURCE);
    let asked: string | undefined;
    const { answer } = cli;
    cli.answer = (request, response) => {
      asked = new URL(request.url ?? "", cli.url()).searchParams.get("platform") ?? undefined;
      answer(request, response);
    };
    expect(await cli.run([...argv, "--platform", "linux/amd64/v2"])).toBe(0);
    expect(asked).toBe("linux/amd64/v2");
    // Before a key is needed, because a pipeline should fail on the machine of its author.
    for (const [wrong, message] of [
      ["registry.example/app:latest", /--from: The reference has no digest/],
      ["app", /--from: The reference names no registry/],
    ] as const) {
      expect(await cli.run(["publish", "--from", wrong, "--manifest", cli.manifestFile], {})).toBe(2);
      expect(cli.output.notes.at(-1)).toMatch(message);
    }
  });

  // Guarantee: a version is published with its notes, or not at all.
  test("sends release notes of a text or a file with the image", async () => {
    const uploads = cli.accept();
    const archive = cli.archiveFile;
    expect(await cli.publish(archive, "--notes", "Faster."), cli.output.notes.join("\n")).toBe(0);
    const file = path.join(cli.folder, "NEWS.md");
    await writeFile(file, "**Even** faster.\n");
    expect(await cli.publish(archive, "--notes", `@${file}`), cli.output.notes.join("\n")).toBe(0);
    expect(uploads).toMatchObject([
      { version: "1.5.0", notes: "Faster." },
      { version: "1.6.0", notes: "**Even** faster." },
    ]);

    await writeFile(file, Buffer.from([0xff, 0xfe]));
    for (const [notes, problem] of [
      [`@${file}`, /is not valid UTF-8/],
      [`@${cli.folder}/none.md`, /none\.md does not exist/],
      ["x".repeat(10_001), /at most 10,000 characters/],
    ] as const) {
      expect(await cli.publish(archive, "--notes", notes)).toBe(2);
      expect(cli.output.notes.at(-1)).toMatch(problem);
    }
    expect(uploads).toHaveLength(2);
  });

  // Guarantee: what follows a publication can't turn it into a failure.
  test.each([[], ["--json"]])("a home folder that can't be written is a warning %j", async (...options) => {
    // A file in place of the folder fails for root, too.
    await writeFile(path.join(cli.folder, "platform-app"), "");
    const uploads = cli.accept();
    expect(await cli.publish(cli.archiveFile, ...options), cli.output.notes.join("\n")).toBe(0);
    expect(uploads).toHaveLength(1);
    expect(cli.output.notes.join("\n")).toMatch(/Warning: .*manifests\.json can't be written/);
    expect(cli.output.results[0]).toMatch(/^(Published {2}acme\/x-app 1\.5\.0$|\{"name":"acme\/x-app")/);
    expect(await cli.written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
  });

  describe("when the answer is lost", () => {
    const lose = (uploads: ReturnType<typeof cli.accept>, times: number) => {
      const answer = cli.answer;
      let left = times;
      cli.answer = (request, response) => {
        if (left === 0) return answer(request, response);
        left -= 1;
        const { socket } = request;
        response.writeHead = () => {
          socket.destroy();
          return response;
        };
        answer(request, response);
      };
      return uploads;
    };

    test("asks again, and gets the result", async () => {
      const uploads = lose(cli.accept(), 2);
      expect(await cli.publish(cli.archiveFile, "--notes", "Faster."), cli.output.notes.join("\n")).toBe(0);
      expect(uploads.map(({ version }) => version)).toEqual(["1.5.0", "1.5.0", "1.5.0"]);
      expect(uploads.map(({ notes }) => notes)).toEqual(["Faster.", "Faster.", "Faster."]);
      expect(await cli.written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    });

    test("asks again while a proxy answers that the platform doesn't", async () => {
      const uploads = cli.accept();
      const { answer } = cli;
      const statuses = [502, 503, 504];
      cli.answer = async (request, response) => {
        const status = statuses.shift();
        if (status === undefined) return answer(request, response);
        await buffer(request);
        response.writeHead(status, { "content-type": "text/html" }).end("<html>");
      };
      expect(await cli.publish(), cli.output.notes.join("\n")).toBe(0);
      expect(uploads.map(({ version }) => version)).toEqual(["1.5.0"]);
      statuses.push(504, 504, 504, 504);
      await cli.writeArchive(SOURCE, 5);
      expect(await cli.publish()).toBe(5);
      expect(cli.output.notes.join("\n")).toMatch(
        /A proxy in front of .* \(status 504\).*proxy_read_timeout/,
      );
    });

    // Guarantee: the same if others published in the meantime.
    test.each([
      { between: [], bumped: "1.6.0" },
      { between: ["1.6.0", "1.7.0"], bumped: "1.8.0" },
    ])(
      "the next command finds an image in a registry, which only the platform has read: $between",
      async ({ between, bumped }) => {
        const from = `registry.example/app@sha256:${"a".repeat(64)}`;
        const asked: (string | null)[] = [];
        const listingUrl = "http://localhost/publish/x-app";
        cli.answer = async (request, response) => {
          await buffer(request);
          const version = new URL(request.url ?? "", cli.url()).searchParams.get("version");
          asked.push(version);
          if (version === "1.5.0")
            return sendJson(response, 201, { version, imageDigest: "sha256:aa", listingUrl });
          const detail = "This image was already published as version 1.5.0.";
          const problem = new Problem("VERSION_EXISTS", detail, [], undefined, [], "1.5.0");
          sendJson(response, problem.status, problem.body());
        };
        cli.known.newest = { number: between.at(-1) ?? "1.5.0", imageDigest: "sha256:aa" };
        const argv = ["publish", "--from", from, "--manifest", cli.manifestFile];
        expect(await cli.run(argv), cli.output.notes.join("\n")).toBe(0);
        expect(asked).toEqual([bumped, "1.5.0"]);
        expect(await cli.written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
        // The file has that number now, so nothing was lost, and publishing it once more is a mistake.
        expect(await cli.run(argv)).toBe(1);
        expect(asked.slice(2)).toEqual([bumped]);
        expect(cli.output.notes.join("\n")).toContain("already published as version 1.5.0");
        // With the number in the file, a repeated pipeline succeeds.
        cli.listed = ["1.5.0", ...between].map((number) => ({ number, imageDigest: `sha256:${number}` }));
        expect(await cli.run([...argv, "--no-bump"]), cli.output.notes.join("\n")).toBe(0);
        expect(asked.slice(3)).toEqual(["1.5.0"]);
      },
    );

    test.each(
      ["", "--add-manifest", "--no-bump"].flatMap((option) => [
        { option, between: [] },
        // The manifest of 1.8.0 was changed in the editor, so that it has the same image.
        { option, between: ["1.7.0", "1.8.0"] },
      ]),
    )("the next command finds it: $option $between", async ({ option, between }) => {
      const more = option === "" ? [] : [option];
      if (more.includes("--add-manifest")) await cli.writeArchive(null);
      const uploads = lose(cli.accept(), 4);
      expect(await cli.publish(cli.archiveFile, ...more)).toBe(5);
      expect(await cli.written()).toBe(SOURCE);
      const { version, imageDigest } = one(uploads.slice(-1));
      cli.known.newest = { number: version ?? "", imageDigest };
      if (between.length > 0) {
        cli.listed = [
          { number: "1.8.0", imageDigest },
          { number: "1.7.0", imageDigest: "sha256:other" },
          cli.known.newest,
          { number: "1.2.0", imageDigest: "sha256:older" },
        ];
        cli.known.newest = { number: "1.8.0", imageDigest };
      }
      expect(await cli.publish(cli.archiveFile, ...more), cli.output.notes.join("\n")).toBe(0);
      expect(uploads.at(-1)).toMatchObject({ version, imageDigest });
      expect(await cli.written()).toBe(SOURCE.replace("1.4.2", version ?? ""));
    });
  });

  test("takes the next number if another publication took it, but keeps the one that was given", async () => {
    const uploads = cli.accept();
    const accepted = cli.answer;
    let others = 0;
    cli.answer = async (request, response) => {
      if (others === 0) return accepted(request, response);
      await buffer(request);
      others -= 1;
      const number = new URL(request.url ?? "", cli.url()).searchParams.get("version") ?? "";
      cli.known.newest = { number, imageDigest: `sha256:${others}` };
      const low = { code: "VERSION_TOO_LOW" as const, pointer: "/version", message: "Too low." };
      const problem =
        others % 2 === 0 ? new Problem("VERSION_EXISTS") : new Problem("BAD_MANIFEST", "", [low]);
      sendJson(response, problem.status, problem.body());
    };
    others = 4;
    expect(await cli.publish(), cli.output.notes.join("\n")).toBe(0);
    expect(uploads.map(({ version }) => version)).toEqual(["1.9.0"]);
    expect(await cli.written()).toContain("1.9.0");
    others = 5;
    expect(await cli.publish()).not.toBe(0);
    others = 1;
    await writeFile(cli.manifestFile, SOURCE.replace("1.4.2", "3.0.0"));
    expect(await cli.publish(undefined, "--no-bump")).toBe(1);
    expect(cli.output.notes.join("\n")).toContain("VERSION_EXISTS");
    expect(uploads).toHaveLength(1);
  });

  test("leaves the file as it is if the platform rejects it, and shows each issue with its position", async () => {
    cli.answer = async (request, response) => {
      await buffer(request);
      const issues = [
        {
          code: "MISSING" as const,
          pointer: "/app",
          message: '"app" is missing.',
          hint: "Add it.",
          line: 3,
          column: 5,
        },
      ];
      const problem = new Problem("BAD_MANIFEST", "The manifest has an error.", issues);
      sendJson(response, 400, problem.body("https://platform.example/"));
    };
    expect(await cli.publish()).toBe(4);
    expect(await readFile(cli.manifestFile, "utf8")).toBe(SOURCE);
    expect(cli.output.notes.join("\n")).toMatch(
      /The manifest has an error\. \[BAD_MANIFEST\]\n {2}platform-app\.json:3:5 "app" is missing\. \[MISSING \/app\]\n {6}Add it\.\n {2}Help: https:\/\/platform\.example\/docs\/errors\/BAD_MANIFEST$/,
    );
  });

  test("leaves the file as it is if the connection closes or the response is not the platform's", async () => {
    cli.answer = (request) => void setTimeout(() => request.resume().socket.destroy(), 20);
    expect(await cli.publish()).toBe(5);
    cli.answer = async (request, response) => {
      await buffer(request);
      response.writeHead(502).end("<html>");
    };
    expect(await cli.publish()).toBe(5);
    expect(await readFile(cli.manifestFile, "utf8")).toBe(SOURCE);
  });

  test("a refused upload is shown with the platform's message, whether it is refused before or while it is sent", async () => {
    await cli.writeArchive(SOURCE, 100_000_000);
    for (const method of ["POST", "PATCH"]) {
      cli.answerUpload = (request, response) => {
        if (request.method !== method) return void cli.receive(request, response);
        response.setHeader("connection", "close");
        sendJson(response, 403, new Problem("QUOTA_EXCEEDED", `No room for ${method}.`).body());
      };
      expect(await cli.publish()).toBe(1);
      expect(cli.output.notes.join("\n")).toContain(`No room for ${method}.`);
    }
    expect(await readFile(cli.manifestFile, "utf8")).toBe(SOURCE);
  });

  // Guarantee: nginx as it is installed can be in front of the platform.
  test.each([1024 * 1024, 100 * 1024])("a proxy that allows requests of %s bytes", async (limit) => {
    await cli.writeArchive(SOURCE, 20_000_000);
    const accepted: number[] = [];
    let refused = 0;
    cli.answerUpload = (request, response) => {
      const bytes = Number(request.headers["content-length"] ?? 0);
      if (bytes <= limit) {
        if (request.method === "PATCH") accepted.push(bytes);
        return void cli.receive(request, response);
      }
      refused += 1;
      // As nginx does: at once, without reading the body, and without reading on.
      response
        .writeHead(413, { "content-type": "text/html", connection: "close" })
        .end("<html>too large</html>");
    };
    const uploads = cli.accept();
    const status = await cli.publish();
    if (limit < 512 * 1024) {
      expect([status, cli.output.notes.at(-1)]).toEqual([5, expect.stringMatching(/client_max_body_size/)]);
      expect(await cli.written()).toBe(SOURCE);
      return;
    }
    expect(status, cli.output.notes.join("\n")).toBe(0);
    expect(uploads).toHaveLength(1);
    // 8, 4 and 2 MiB, once.
    expect(refused).toBe(3);
    expect(Math.max(...accepted)).toBe(1024 * 1024);
    for (const [digest, { content }] of cli.blobs) expect(toDigest(content)).toBe(digest);
  });

  test("changes nothing if there is nothing to publish, the key is wrong, or the manifest is invalid", async () => {
    expect(await cli.publish("no-such-image:of-this-test")).toBe(1);
    for (const missing of [
      "./missing.tar",
      "../missing/app",
      "images/missing.tar",
      "/missing",
      "C:\\missing",
    ]) {
      expect(await cli.publish(missing), missing).toBe(2);
      expect(cli.output.notes.at(-1)).toBe(
        `The file ${missing} does not exist. Check the path, or pass the name of a local image.`,
      );
    }
    expect(
      await cli.run(["publish", cli.archiveFile, "--manifest", cli.manifestFile], {
        clientId: "pci_x",
        apiKey: "y",
      }),
    ).toBe(3);
    expect(await readFile(cli.manifestFile, "utf8")).toBe(SOURCE);
    await writeFile(cli.manifestFile, SOURCE.replace("1.4.2", "1.4"));
    expect(await cli.publish()).toBe(4);
    expect(cli.output.notes.join("\n")).toMatch(
      /platform-app\.json:3:14 error BAD_VERSION This is not a valid version\./,
    );
  });

  test("with --no-bump, the number in the file is published as it is, if it is free", async () => {
    const uploads = cli.accept();
    cli.known.newest = { number: "1.4.1", imageDigest: "sha256:other" };
    expect(await cli.publish(undefined, "--no-bump"), cli.output.notes.join("\n")).toBe(0);
    expect(uploads.map(({ version }) => version)).toEqual(["1.4.2"]);
    expect(await cli.written()).toBe(SOURCE);
    cli.known.newest = { number: "1.4.2", imageDigest: "sha256:other" };
    expect(await cli.publish(undefined, "--no-bump")).toBe(1);
    expect(cli.output.notes.join("\n")).toMatch(/1\.4\.2 is already published[^]*platform-app version minor/);
    expect(uploads).toHaveLength(1);
  });

  test("wrong usage exits with status 2", async () => {
    expect(await cli.run(["publish"])).toBe(2);
    expect(cli.output.notes.join("\n")).toMatch(/Choose what to publish[^]*platform-app publish --build \./);
    expect(await cli.run(["pubblish"])).toBe(2);
    expect(await cli.run(["publish", "x", "--manifest", path.join(cli.folder, "absent.json")])).toBe(2);
    expect(await cli.run(["login"], {})).toBe(2);
    expect(await cli.run(["--help"])).toBe(0);
    expect(await cli.run(["--version"])).toBe(0);
    expect(cli.output.results.at(-1)).toMatch(/^\d+\.\d+\.\d+$/);
  });

  // Guarantee: the file gets the number after the platform accepted it, so nothing has to be restored.
  test.each([
    ["SIGINT", 130],
    ["SIGKILL", null],
  ] as const)(
    "%s during an upload leaves the file as it is, and the next run publishes",
    async (signal, status) => {
      const bundle = path.join(".build", `platform-app-test-${process.pid}.js`);
      await build({
        entryPoints: ["cli/main.ts"],
        outfile: bundle,
        bundle: true,
        platform: "node",
        format: "esm",
        packages: "external",
      });
      const started = new Promise<void>((resolve) => {
        cli.answerUpload = (request, response) => {
          if (request.method === "PATCH") request.once("data", () => resolve());
          else void cli.receive(request, response);
        };
      });
      const env = {
        ...process.env,
        XDG_CONFIG_HOME: cli.folder,
        PLATFORM_URL: cli.url(),
        PLATFORM_CLIENT_ID: KEY.clientId,
        PLATFORM_API_KEY: KEY.apiKey,
      };
      await cli.writeArchive(SOURCE, 60_000_000);
      const child = spawn(
        process.execPath,
        [bundle, "publish", cli.archiveFile, "--manifest", cli.manifestFile],
        { env },
      );
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      await started;
      expect(await cli.written()).toBe(SOURCE);
      child.kill(signal);
      expect(await ended).toBe(status);
      expect(await cli.written()).toBe(SOURCE);
      await rm(bundle);
      cli.answerUpload = (request, response) => void cli.receive(request, response);
      const uploads = cli.accept();
      expect(await cli.publish()).toBe(0);
      expect([uploads[0]?.version, await cli.written()]).toEqual(["1.5.0", SOURCE.replace("1.4.2", "1.5.0")]);
    },
  );

  test("an upload that stalls fails with a message instead of hanging", async () => {
    await cli.writeArchive(SOURCE, 60_000_000);
    // Never read: the connection stays open and takes no more.
    cli.answerUpload = (request, response) => {
      if (request.method !== "PATCH") void cli.receive(request, response);
    };
    expect(await cli.run(["publish", cli.archiveFile, "--manifest", cli.manifestFile], KEY, 500)).toBe(1);
    expect(cli.output.notes.at(-1)).toMatch(
      /stalled: the platform received no data for \d+ s.*publish again/,
    );
    expect(await cli.written()).toBe(SOURCE);
  });

  test("what was edited in the file during the upload stays; only the number is written", async () => {
    const uploads = cli.accept();
    const accepted = cli.answer;
    cli.answer = async (request, response) => {
      await writeFile(cli.manifestFile, SOURCE.replace("[1,2]", "[3]"));
      accepted(request, response);
    };
    expect(await cli.publish()).toBe(0);
    expect(uploads).toHaveLength(1);
    expect(await cli.written()).toBe(SOURCE.replace("[1,2]", "[3]").replace("1.4.2", "1.5.0"));
  });
});
