/** The whole way of a publication with nothing faked: engine, command line, gateway, database, store, engine again. */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { createGateway } from "@/gateway/serve";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { openArchive } from "@/lib/server/images/open-archive";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const run = promisify(execFile);
const engine = await run("docker", ["version"]).then(
  () => true,
  () => false,
);
const platform = await testPlatform();
const IMAGE = `platform-app-test:${process.pid}`;

test.skipIf(!engine)(
  "an image of the engine is published, and the stored archive loads as the very same image",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "publish-image-"));
    const manifestFile = path.join(folder, "platform-app.json");
    const member = await givenMember(platform);
    await givenListing(platform, member);
    const { clientId, apiKey } = await createApiKey(platform, member, "CI");
    const server = createGateway(platform);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const terminal = recordTerminal();
    const { lines } = terminal;
    const cli = (...argv: string[]) =>
      runProgram(
        argv,
        readCliEnvironment({
          PATH: process.env.PATH,
          XDG_CONFIG_HOME: folder,
          PLATFORM_URL: `http://127.0.0.1:${port}`,
          PLATFORM_CLIENT_ID: clientId,
          PLATFORM_API_KEY: apiKey,
        }),
        terminal,
      );
    const load = async (archiveDigest: string) => {
      const file = path.join(folder, "stored.tar");
      await pipeline(await openArchive(platform.environment, archiveDigest), createWriteStream(file));
      await run("docker", ["load", "-i", file]);
    };
    try {
      const manifest = { name: "acme/vin-lookup", version: "1.4.0", app: { fields: [] } };
      await writeFile(manifestFile, JSON.stringify(manifest, null, 2));
      await writeFile(
        path.join(folder, "Dockerfile"),
        "FROM scratch\nCOPY platform-app.json /platform-app.json\n",
      );
      await run("docker", ["build", "-q", "-t", IMAGE, folder], {
        env: { ...process.env, DOCKER_BUILDKIT: "0" },
      });
      const { stdout } = await run("docker", ["image", "inspect", "-f", "{{.Id}}", IMAGE]);
      const imageId = stdout.trim();

      expect(await cli("publish", IMAGE, "--manifest", manifestFile), lines.join("\n")).toBe(0);
      expect(lines.join("\n")).toContain(imageId);
      expect(await readFile(manifestFile, "utf8")).toContain('"version": "1.5.0"');
      const version = (await platform.db.select().from(versions)).find(({ number }) => number === "1.5.0");
      expect(version).toMatchObject({ imageDigest: imageId, manifest: { version: "1.5.0" } });

      await run("docker", ["rmi", "-f", imageId]);
      await load(version?.archiveDigest ?? "");
      await run("docker", ["image", "inspect", imageId]);

      // The image still holds 1.4.0: two bumps away from what is declared now.
      expect(await cli("publish", imageId, "--manifest", manifestFile)).toBe(1);
      expect(await readFile(manifestFile, "utf8")).toContain('"version": "1.5.0"');
      await run("docker", ["rmi", "-f", imageId]);

      // An image without the file: it is added on the way, and the engine loads the result.
      await writeFile(path.join(folder, "Dockerfile"), "FROM scratch\nCOPY Dockerfile /\n");
      await run("docker", ["build", "-q", "-t", IMAGE, folder], {
        env: { ...process.env, DOCKER_BUILDKIT: "0" },
      });
      expect(await cli("publish", IMAGE, "--manifest", manifestFile)).toBe(4);
      expect(lines.at(-1)).toContain("--add-manifest");
      expect(
        await cli("publish", IMAGE, "--manifest", manifestFile, "--add-manifest"),
        lines.join("\n"),
      ).toBe(0);
      const added = (await platform.db.select().from(versions)).find(({ number }) => number === "1.6.0");
      await load(added?.archiveDigest ?? "");
      await run("docker", ["image", "inspect", added?.imageDigest ?? ""]);
      await run("docker", ["rmi", "-f", added?.imageDigest ?? "", IMAGE]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    }
  },
);
