/**
 * `platform-app validate` and the platform find the same issues in each manifest. `npm run test:agreement` compares thousands; the
 * ordinary run a few hundred.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import type { Issue } from "@/lib/contract/platform/problem";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createListing } from "@/lib/server/catalog/own-listings";
import { givenMember, testPlatform } from "../test-platform";
import { generateManifests } from "./generate-manifests";

const COUNT = Number(process.env.AGREEMENT_MANIFESTS ?? 300);
const SEED = Number(process.env.AGREEMENT_SEED ?? 20261123);
const COMMAND = path.resolve("cli/dist/platform-app.js");
const FILES_PER_PROCESS = 250;

const platform = await testPlatform();
const folder = await mkdtemp(path.join(tmpdir(), "agreement-"));
let server: Server;
let push: (text: string) => Promise<Issue[]>;

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  const member = await givenMember(platform, "acme", "publisher");
  const about = { product: "P", company: "", offering: "" };
  const requirements = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
  await createListing(platform, member, { appName: "x-app", title: "X", about, requirements });
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const headers = {
    "content-type": "application/json",
    authorization: `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`,
  };
  push = async (text) => {
    const body = JSON.stringify({ text, revision: null });
    const url = `http://127.0.0.1:${port}/publish/v1/apps/acme/x-app/manifest`;
    const response = await fetch(url, { method: "PUT", headers, body });
    const answer: { issues: Issue[] } = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.issues;
  };
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});

/** What the built command prints for each file. */
async function validate(files: readonly string[]): Promise<{ valid: boolean; issues: Issue[] }[]> {
  const found: { valid: boolean; issues: Issue[] }[] = [];
  for (let at = 0; at < files.length; at += FILES_PER_PROCESS) {
    const argv = [COMMAND, "validate", "--json", ...files.slice(at, at + FILES_PER_PROCESS)];
    const stdout = await new Promise<string>((resolve, reject) => {
      const options = { maxBuffer: 256 * 1024 * 1024 };
      execFile(process.execPath, argv, options, (error, output) => {
        // 4: one of them is invalid.
        if (error === null || error.code === 4) resolve(output);
        else reject(error);
      });
    });
    found.push(
      ...stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  }
  return found;
}

const where = ({ code, pointer, severity, line, column }: Issue) => ({
  code,
  pointer,
  severity,
  line,
  column,
});

test(
  "the built command and the gateway find the same codes, pointers, lines and columns in every manifest",
  async () => {
    const texts = generateManifests(COUNT, SEED);
    expect(texts.length).toBe(COUNT);
    await mkdir(path.join(folder, "manifests"));
    const files = texts.map((_, index) => path.join(folder, "manifests", `${index}.json`));
    for (const [index, file] of files.entries()) await writeFile(file, texts[index] ?? "");
    const local = await validate(files);
    const seen = new Set<string>();
    let [valid, issues] = [0, 0];
    for (const [index, text] of texts.entries()) {
      const remote = await push(text);
      expect(local[index]?.issues.map(where), text.slice(0, 2000)).toEqual(remote.map(where));
      expect(local[index]?.issues).toEqual(remote);
      if (local[index]?.valid === true) valid += 1;
      issues += remote.length;
      for (const { code } of remote) seen.add(code);
    }
    expect(valid).toBeGreaterThan(COUNT / 20);
    expect(COUNT - valid).toBeGreaterThan(COUNT / 2);
    if (process.env.AGREEMENT_MANIFESTS === undefined) return;
    process.stdout.write(
      [
        `figure manifests_agree ${COUNT} manifests`,
        `figure manifests_agree_valid ${valid} manifests`,
        `figure manifests_agree_issues ${issues} issues`,
        `figure manifests_agree_codes ${seen.size} codes`,
        "",
      ].join("\n"),
    );
  },
  15 * 60_000,
);
