/** Which URL each page has, and what is asked to open it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import type { AppStatus } from "@/lib/contract/surface/own-app";
import { givenCli, sendJson } from "@/tests/cli/publishing-cli";
import { recordTerminal } from "../terminal/test-terminal";

const cli = givenCli();
const WEB = "https://platform.example";
const status: AppStatus = {
  app: "acme/x-app",
  title: "X",
  state: "DRAFT",
  suspension: null,
  newest: null,
  verified: null,
  review: null,
  checklist: [],
  installations: 0,
  replicas: 1,
  mostReplicas: null,
  instances: [],
  failures: [],
  pages: {
    app: `${WEB}/publish/x-app`,
    listing: `${WEB}/publish/x-app/edit`,
    logs: `${WEB}/publish/x-app/logs`,
    marketplace: null,
  },
};

beforeEach(() => {
  cli.answer = ({ url }, response) =>
    url === "/publish/v1/whoami"
      ? sendJson(response, 200, { organization: { slug: "acme" }, webUrl: `${WEB}/` })
      : sendJson(response, url === "/publish/v1/apps/acme/x-app/status" ? 200 : 404, status);
});

test.each([
  [undefined, "/publish/x-app"],
  ["listing", "/publish/x-app"],
  ["logs", "/publish/x-app/logs"],
  ["calls", "/calls?app=acme%2Fx-app"],
  ["docs", "/docs"],
  ["keys", "/organization/api-keys"],
])("%s", async (page, pagePath) => {
  const argv = ["open", ...(page === undefined ? [] : [page]), "--manifest", cli.manifestFile];
  expect(await cli.run(argv), cli.output.notes.join("\n")).toBe(0);
  // The test has no terminal, so no browser starts.
  expect(cli.output.results).toEqual([WEB + pagePath]);
  expect(await cli.run([...argv, "--json"])).toBe(0);
  const data = { page: page ?? "listing", url: WEB + pagePath };
  expect(JSON.parse(cli.output.results.at(-1) ?? "")).toEqual(data);
});

const OPENER = process.platform === "darwin" ? "open" : "xdg-open";

/** On a desktop, with this program to open the browser, or none. */
async function openOnDesktop(script?: string): Promise<number> {
  const bin = path.join(cli.folder, "bin");
  await mkdir(bin);
  if (script !== undefined)
    await writeFile(path.join(bin, OPENER), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  cli.output = recordTerminal({ answer: true });
  cli.inherited = { PATH: bin, DISPLAY: ":0", OPENED: path.join(cli.folder, "opened") };
  return cli.run(["open", "calls", "--manifest", cli.manifestFile]);
}
const URL_OF_CALLS = `${WEB}/calls?app=acme%2Fx-app`;

test.skipIf(process.platform === "win32")(
  "on a desktop, the system's command gets the URL as one argument, and no API key",
  async () => {
    vi.stubEnv("PLATFORM_API_KEY", "pak_secret");
    const script = 'printf "%s\\n" "$#" "$1" "key: $PLATFORM_API_KEY" > "$OPENED"';
    expect(await openOnDesktop(script), cli.output.lines.join("\n")).toBe(0);
    const opened = await readFile(path.join(cli.folder, "opened"), "utf8");
    expect(opened).toBe(`1\n${URL_OF_CALLS}\nkey: \n`);
    expect([cli.output.notes, cli.output.results]).toEqual([[`Opened ${URL_OF_CALLS}`], []]);
    vi.unstubAllEnvs();
  },
);

test.skipIf(process.platform === "win32").each([
  ["the browser command is not installed", undefined],
  ["no browser is found", "exit 3"],
])("the URL is printed if %s", async (_, script) => {
  expect(await openOnDesktop(script)).toBe(0);
  expect([cli.output.notes, cli.output.results]).toEqual([[], [URL_OF_CALLS]]);
});

test("a page that doesn't exist is wrong usage, and names those that do", async () => {
  expect(await cli.run(["open", "settings"])).toBe(2);
  expect(cli.output.notes.join("\n")).toContain("listing, docs, logs, calls, keys");
});
