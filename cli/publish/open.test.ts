/** Which URL each page has. No browser starts: the tests have no terminal. */
import { beforeEach, expect, test } from "vitest";
import type { AppStatus } from "@/lib/contract/own-app";
import { givenCli, sendJson } from "@/tests/publishing-cli";

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
])("%s", async (page, path) => {
  const argv = ["open", ...(page === undefined ? [] : [page]), "--manifest", cli.manifestFile];
  expect(await cli.run(argv), cli.output.notes.join("\n")).toBe(0);
  expect(cli.output.results).toEqual([WEB + path]);
  expect(await cli.run([...argv, "--json"])).toBe(0);
  const data = { page: page ?? "listing", url: WEB + path };
  expect(JSON.parse(cli.output.results.at(-1) ?? "")).toEqual(data);
});

test("a page that doesn't exist is wrong usage, and names those that do", async () => {
  expect(await cli.run(["open", "settings"])).toBe(2);
  expect(cli.output.notes.join("\n")).toContain("listing, docs, logs, calls, keys");
});
