import { mkdir, mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { ensureBaseImage } from "@/lib/server/runtime/engines/docker-example-image";
import { givenListing, givenMember, testPlatform } from "../test-platform";
import { listFences, readDocuments } from "./read-documents";
import { matchesOutput, runPage } from "./run-page";
import { Shell, writeCommand } from "./shell";

const platform = await testPlatform();
const pages = readDocuments().filter(
  (page) => page.slug !== undefined && listFences(page).some(({ fence }) => fence.words.includes("run")),
);

let home: string;
let base: string | undefined;
let server: Server;
let shell: Shell;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "docs-"));
  await writeCommand(
    path.join(home, "bin"),
    "platform-app",
    `exec ${process.execPath} ${path.resolve("cli/dist/platform-app.js")} "$@"`,
  );
  base = await ensureBaseImage(new Docker()).catch(() => undefined);
  if (base !== undefined) await writeCommand(path.join(home, "bin"), "docker", withBase(base));
});
afterAll(() => rm(home, { recursive: true, force: true }));

beforeEach(async () => {
  const publisher = await givenMember(platform);
  await givenListing(platform, publisher);
  const { clientId, apiKey } = await createApiKey(platform, publisher, "Documentation");
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const folder = await mkdtemp(path.join(home, "page-"));
  shell = new Shell(folder, path.join(folder, "work"), {
    PATH: `${path.join(home, "bin")}:${path.dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: path.join(folder, "home"),
    LANG: "C.UTF-8",
    PLATFORM_URL: `http://127.0.0.1:${port}`,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_API_KEY: apiKey,
  });
  await mkdir(path.join(folder, "home"));
  await shell.enter(path.join(folder, "work"));
});
afterEach(async () => {
  await shell.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

// Guarantee: a reader who types what a page shows gets what the page says.
test.each(pages.map((page) => [page.slug, page] as const))(
  "every command of %s runs",
  async (_slug, page) => {
    const result = await runPage(page, {
      shell,
      folder: path.join(shell.scratch, "work"),
      hasEngine: base !== undefined,
    });
    expect(result.failures).toEqual([]);
    if (result.skipped > 0) console.info(`${page.slug}: ${result.skipped} fences need a container engine.`);
  },
  // A page has dozens of commands, which build images and start apps; each has a limit of its own.
  300_000,
);

test("output is compared with what a page shows, where … is anything", () => {
  expect(matchesOutput("Logged in as … at …", "x\nLogged in as Acme (acme) at http://127.0.0.1.\n")).toBe(
    true,
  );
  expect(matchesOutput("Logged out", "Logged in")).toBe(false);
});

/**
 * Docker, with a base for each image that is built: the templates take it as an argument. It is this machine's Node if the
 * image is run, and nothing if it is only published.
 */
function withBase(image: string): string {
  return [
    'PATH="${PATH#*:}"',
    '[ "$1" = build ] || exec docker "$@"',
    "shift",
    `[ -n "$DOCS_RUNS_APP" ] && base=${image} || base=scratch`,
    'exec docker build --build-arg BASE="$base" "$@"',
  ].join("\n");
}
