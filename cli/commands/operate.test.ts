/** The commands that publishers use after publishing, against a real gateway. */
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listings, versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { createGateway } from "@/gateway/serve";
import { createApiKey, revokeApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { givenCallWorld } from "@/tests/given-calls";
import { givenLogWorld } from "@/tests/given-logs";
import { givenListing, givenMember, SAMPLE_TEXT, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const platform = await testPlatform();
let server: Server;
let url: string;
let folder: string;
const drop = () => server.closeAllConnections();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-"));
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterEach(async () => {
  drop();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function givenUser(member: Awaited<ReturnType<typeof givenMember>>) {
  const { apiKeyId, clientId, apiKey } = await createApiKey(platform, member, "CI");
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: folder,
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_API_KEY: apiKey,
  });
  const start = (...argv: string[]) => {
    const output = recordTerminal();
    const ended = runProgram(
      [...argv, "--app", "acme/vin-lookup"],
      { ...environment, uploadRetryMs: [1, 50] },
      output,
    );
    return { output, ended };
  };
  const run = async (...argv: string[]) => {
    const { output, ended } = start(...argv);
    return { status: await ended, ...output, text: output.lines.join("\n") };
  };
  return { apiKeyId, start, run };
}

test("submit names everything that is missing and where to add it; then status says what is next", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenListing(platform, publisher);
  const { run } = await givenUser(publisher);
  const about = { ...SAMPLE_TEXT.about, product: "" };
  await platform.db.update(listings).set({ about });
  const refused = await run("submit");
  expect(refused.status).toBe(1);
  expect(refused.text).toContain("acme/vin-lookup can't be submitted yet. A required item is missing.");
  expect(refused.text).toContain(
    "A description of the product:  http://localhost:3000/publish/vin-lookup/edit",
  );

  // Guarantee: what is required is apart from what is recommended, and decides the exit status alone.
  const incomplete = await run("status");
  expect(incomplete.status).toBe(1);
  expect(incomplete.text).toMatch(
    /\nMissing, required:\n {2}✗ A description of the product +http\S+\nMissing, recommended:\n( {2}· .*\n)+acme\/vin-lookup can't be submitted yet\. A required item is missing\./,
  );
  const [json = "", ...more] = (await run("status", "--json")).results;
  expect(more).toEqual([]);
  expect(JSON.parse(json).missing).toMatchObject({
    required: [{ title: "A description of the product", page: expect.stringMatching(/^http/) }],
    recommended: expect.arrayContaining([{ title: "An icon", page: expect.any(String) }]),
  });

  await platform.db.update(listings).set({ about: SAMPLE_TEXT.about });
  const complete = await run("status");
  expect(complete.status).toBe(0);
  expect(complete.text).toContain("✓ All required items are done.\nMissing, recommended:");
  expect(complete.text).toContain("Next:  platform-app submit");
  const submitted = await run("submit", "1.4.0", "--note", "Use the test tenant.");
  expect(submitted.text).toContain("Version 1.4.0 of acme/vin-lookup was submitted for review.");
  expect((await run("versions")).text).toMatch(/1\.4\.0 +in review/);
  // Guarantee: whoever didn't get the answer can run the command again, and gets it.
  const again = await run("submit", "1.4.0", "--note", "Use the test tenant.");
  expect(again).toMatchObject({ status: 0, results: submitted.results });
  const other = await run("submit", "1.4.0", "--note", "Another note.");
  expect(other).toMatchObject({ status: 1, text: expect.stringContaining("already under review") });
  for (let times = 0; times < 2; times += 1)
    expect(await run("withdraw")).toMatchObject({
      status: 0,
      text: expect.stringContaining("The review of version 1.4.0 of acme/vin-lookup was withdrawn."),
    });
});

// Guarantee: nothing is cut silently.
test("of very many versions that failed, status says that there are others", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { appName: "vin-lookup" });
  const { id: _, ...copied } = version;
  const added = await platform.db
    .insert(versions)
    .values(Array.from({ length: 101 }, (_each, at) => ({ ...copied, number: `2.${at}.0` })))
    .returning({ versionId: versions.id });
  const failed = { runtime: "docker", state: "FAILED" as const, reason: "It crashed.", endedAt: new Date() };
  await platform.db.insert(instances).values(added.map(({ versionId }) => ({ versionId, ...failed })));
  const { run } = await givenUser(publisher);
  const { text } = await run("status");
  expect(text.match(/failed .*: It crashed\./g)).toHaveLength(100);
  expect(text).toContain("Older versions failed too, which are not listed.");
});

test("with --json, each result is one line", async () => {
  const { customer, call } = await givenCallWorld(platform, "acme");
  const ids = [await call("autofill", { ago: 2_000 }), await call("autofill", { ago: 1_000 })];
  const { run } = await givenUser(customer);
  const { status, results } = await run("calls", "--json");
  expect(status).toBe(0);
  expect(results.map((line) => JSON.parse(line).id)).toEqual(ids);
  const failed = await run("calls", "show", "nothing", "--json");
  expect(failed.status).toBe(1);
  expect(JSON.parse(failed.results[0] ?? "")).toMatchObject({ error: { code: "NOT_FOUND" } });
});

// Guarantee: nothing is cut silently.
test("calls that are not listed are mentioned", async () => {
  const { customer, call } = await givenCallWorld(platform, "acme");
  for (let ago = 1; ago <= 3; ago += 1) await call("autofill", { ago: ago * 1_000 });
  const { run } = await givenUser(customer);
  const note = "Older calls are not shown.";
  expect((await run("calls", "--lines", "2")).text).toContain(note);
  expect((await run("calls", "--lines", "3")).text).not.toContain(note);
});

// Guarantee: a terminal shows what was sent, not what JavaScript makes of it.
test("a call's bodies are shown with their numbers and members as they were sent", async () => {
  const { customer, call } = await givenCallWorld(platform, "acme");
  const payload = '{"n": 9007199254740993, "d": 1.10, "a": 1, "a": 2}';
  const id = await call("autofill", { recorded: true, payload, answer: `\uFEFF${payload}` });
  const { run } = await givenUser(customer);
  const { text } = await run("calls", "show", id);
  const shown = ['"n": 9007199254740993', '"d": 1.10', '"a": 1', '"a": 2'].join(",\n    ");
  expect(text.split(shown)).toHaveLength(3);
});

test("a failed delivery is replayed by the ID of its call", async () => {
  const world = await givenCallWorld(platform, "acme");
  const dead = await world.delivery("DEAD", { given: world.launch });
  const { run } = await givenUser(world.customer);
  const listed = await run("calls", "--dead");
  expect(listed.text).toContain("It returned 500.");
  expect((await run("calls", "show", dead.attemptId)).text).toContain("Send it again:");
  expect((await run("replay", dead.attemptId)).text).toContain("1 delivery will be sent again.");
  expect(await run("replay", dead.id)).toMatchObject({ status: 1 });
  expect((await run("replay", "--all")).text).toContain("No dead deliveries match.");
  expect(await run("replay")).toMatchObject({ status: 2 });
});

// Guarantee: `logs -f` survives broken connections without losing or repeating a line, and ends with the key.
test("following a log continues after each lost connection, in order, and exits with 3 when the key is revoked", async () => {
  const { publisher, store } = await givenLogWorld(platform);
  const { start, apiKeyId } = await givenUser(publisher);
  await store([{ text: "line 0" }]);
  const { output, ended } = start("logs", "-f");
  await expect.poll(() => output.results.length).toBe(1);
  for (let number = 1; number <= 12; number += 1) {
    if (number % 3 === 0) drop();
    await store([{ text: `line ${number}` }]);
  }
  const numbers = () => output.results.map((line) => Number(/line (\d+)$/.exec(line)?.[1]));
  await expect.poll(numbers).toEqual(Array.from({ length: 13 }, (_, index) => index));
  expect(output.notes.join("\n")).toContain("Connection lost. Reconnecting…");
  await revokeApiKey(platform, publisher, apiKeyId);
  expect(await ended).toBe(3);
});

// Guarantee: a call is shown once, when it ends.
test("following calls shows each call once, when it has ended", async () => {
  const { customer, call } = await givenCallWorld(platform, "acme");
  const { start, apiKeyId } = await givenUser(customer);
  const { output, ended } = start("calls", "-f");
  await expect.poll(() => output.notes.join("\n")).toContain("Following calls");
  const first = await call("autofill");
  const open = await call("autofill", { durationMs: null, status: null });
  await expect.poll(() => output.results.length).toBe(1);
  await platform.pool.query("update attempts set duration_ms = 7, status = 200 where id = $1", [open]);
  await expect.poll(() => output.results.length).toBe(2);
  expect(output.results.map((line) => line.slice(-36))).toEqual([first, open]);
  await revokeApiKey(platform, customer, apiKeyId);
  expect(await ended).toBe(3);
});

test.each([
  [["logs", "--since", "yesterday"], "is not a valid time for --since"],
  [["logs", "--level", "loud"], "error, warn, info, debug"],
  [["calls", "--dead", "-f"], "can't be combined with --follow"],
  [["replay", "--since", "1h"], "Pass the IDs of the deliveries"],
])("%j is a wrong usage", async (argv, message) => {
  const { run } = await givenUser(await givenMember(platform, "acme"));
  const { status, text } = await run(...argv);
  expect(status).toBe(2);
  expect(text).toContain(message);
});
