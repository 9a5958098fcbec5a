import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readBundle } from "@/lib/server/images/archive/read-bundle";
import { uploadPath } from "@/lib/server/images/archive/index-archive";
import { createConfig, createTar, dockerArchive, toDigest } from "@/lib/server/images/archive/test-archives";
import { givenCli, SOURCE } from "@/tests/cli/publishing-cli";
import { recordTerminal } from "../terminal/test-terminal";

const cli = givenCli();

describe("the next number is above the file's, the image's, the draft's and the published one", () => {
  const withVersion = (version: string) => SOURCE.replace("1.4.2", version);

  test.each([
    ["published", "1.7.0", () => (cli.known.newest = { number: "1.6.3", imageDigest: "sha256:other" })],
    [
      "in the draft",
      "2.1.0",
      () => (cli.known = { ...cli.known, source: "draft", text: withVersion("2.0.0") }),
    ],
    ["in a broken draft", "1.5.0", () => (cli.known = { ...cli.known, source: "draft", text: "{ broken" })],
    ["in the image", "1.10.0", () => cli.writeArchive(withVersion("1.9.9"))],
    ["in the file", "3.1.0", () => writeFile(cli.manifestFile, withVersion("3.0.0"))],
  ])("%s: %s", async (_where, number, arrange) => {
    await arrange();
    const uploads = cli.accept();
    expect(await cli.publish(), cli.output.notes.join("\n")).toBe(0);
    expect(uploads[0]?.version).toBe(number);
    expect(await cli.written()).toBe(withVersion(number));
  });
});

describe("the image is read before it is uploaded", () => {
  /** The manifest that the platform finds at the root of an uploaded archive. */
  async function readUploaded(archive: Buffer | undefined): Promise<string> {
    const incoming = await mkdtemp(path.join(cli.folder, "incoming-"));
    await writeFile(uploadPath(incoming), archive ?? "");
    return (await readBundle(incoming)).manifestText;
  }

  test("an image that doesn't say what to run is published with a warning", async () => {
    const layers = [await createTar([{ name: "platform-app.json", content: SOURCE }])];
    const said = async (config: object) => {
      await writeFile(cli.archiveFile, await dockerArchive({ layers, config }));
      cli.accept();
      expect(await cli.publish(), cli.output.notes.join("\n")).toBe(0);
      return cli.output.notes.join("\n");
    };
    expect(await said({ Cmd: ["/server"] })).not.toContain("Warning");
    await writeFile(cli.manifestFile, SOURCE);
    expect(await said({})).toContain("Warning: The image has neither CMD nor ENTRYPOINT");
  });

  test("an image without a manifest is not uploaded, and the message shows the COPY line and --add-manifest", async () => {
    await cli.writeArchive(null);
    const uploads = cli.accept();
    expect(await cli.publish()).toBe(4);
    expect(uploads).toEqual([]);
    expect(cli.output.notes.join("\n")).toMatch(
      /no platform-app\.json at its root[^]*COPY platform-app\.json \/[^]*--add-manifest/,
    );
    expect(await cli.written()).toBe(SOURCE);
  });

  test("--add-manifest puts the file, with its new number, at the root of what is published", async () => {
    await cli.writeArchive(null);
    const uploads = cli.accept();
    expect(await cli.publish(undefined, "--add-manifest"), cli.output.notes.join("\n")).toBe(0);
    expect(await readUploaded(uploads[0]?.archive)).toBe(SOURCE.replace("1.4.2", "1.5.0"));
    expect(await cli.written()).toBe(SOURCE.replace("1.4.2", "1.5.0"));
  });

  test.each([true, false])("a terminal asks whether to add it: %s", async (isYes) => {
    await cli.writeArchive(null);
    const uploads = cli.accept();
    cli.output = recordTerminal({ answer: isYes });
    expect(await cli.publish()).toBe(isYes ? 0 : 4);
    expect(cli.output.asked).toEqual([
      "The image has no platform-app.json at its root. Add your file as a layer at the root?",
    ]);
    expect(uploads).toHaveLength(isYes ? 1 : 0);
  });

  test("a manifest that differs from the file is described before the upload; a terminal asks", async () => {
    await cli.writeArchive(SOURCE.replace("[1,2]", "[3]"));
    const uploads = cli.accept();
    expect(await cli.publish()).toBe(0);
    const notes = cli.output.notes.join("\n");
    expect(notes).toMatch(/in the image differs from your file:\n {2}The app's .* was changed: x-own\./);
    expect(notes.indexOf("differs")).toBeLessThan(notes.indexOf("Uploaded"));
    expect(await readUploaded(uploads[0]?.archive)).toContain("[3]");
    cli.output = recordTerminal({ answer: false });
    expect(await cli.publish()).toBe(130);
    expect(uploads).toHaveLength(1);
    cli.output = recordTerminal();
    expect(await cli.publish(undefined, "--add-manifest")).toBe(0);
    expect(await readUploaded(uploads[1]?.archive)).toContain("[1,2]");
  });

  test("a manifest with errors, one of another app, another architecture, and an image that is published already", async () => {
    const uploads = cli.accept();
    const layers = [await createTar([{ name: "platform-app.json", content: SOURCE }])];
    const save = (archive: Buffer) => writeFile(cli.archiveFile, archive);
    for (const [arrange, words] of [
      [() => cli.writeArchive(SOURCE.replace("1.4.2", "1.4")), "in the image has errors"],
      [() => cli.writeArchive(SOURCE.replace("x-app", "other")), "is for acme/other"],
      [async () => save(await dockerArchive({ layers, architecture: "arm64" })), "--platform linux/amd64"],
      [() => save(Buffer.alloc(5000, 7)), "is not a readable tar archive"],
      [
        async () => save(await createTar([{ name: "readme.txt", content: "hello" }])),
        "contains no container image",
      ],
      [
        async () => {
          await save(await dockerArchive({ layers }));
          const imageDigest = toDigest(createConfig({ layers }));
          cli.known.newest = { number: "1.4.2", imageDigest };
        },
        "already published as version 1.4.2",
      ],
    ] as const) {
      await arrange();
      expect(await cli.publish(), words).toBe(words.startsWith("already") ? 1 : 4);
      expect(cli.output.notes.join("\n")).toContain(words);
    }
    expect(uploads).toEqual([]);
  });
});
