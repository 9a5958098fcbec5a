/** The emulator with real apps, run as processes: the examples, and apps with one fault each. */
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { explainMissingEndpoint } from "@/lib/domain/catalog/manifest/endpoint";
import { recordTerminal } from "../terminal/test-terminal";
import { freePort, processRunner } from "./app/runner";
import { DRILL_NAMES } from "./contract/drills";
import { viewConfiguration } from "./emulator/answers";
import { addCustomer, fillInCustomer, removeCustomer } from "./emulator/customers";
import { findCustomer } from "./emulator/emulator";
import { runDrill } from "./emulator/run-drill";
import { callRoute } from "./emulator/send-call";
import { listCustomers, reloadManifest, viewInstance } from "./emulator/snapshot";
import { Supervisor } from "./emulator/supervise";
import { createPrinter } from "./terminal";
import { startDev } from "./test-dev";

const EXAMPLES = path.join(import.meta.dirname, "../../examples");

const example = (name: string) =>
  startDev((folder) => cp(path.join(EXAMPLES, name), folder, { recursive: true }));

const MANIFEST = {
  name: "acme/faulty",
  version: "1.0.0",
  app: { fields: [{ name: "office", title: "Office", type: "Text", required: true }] },
  core: { autofill: [{ path: "/fill", operations: ["newBusiness.create"] }] },
};

/** An app that reads its state and asks the core, with a fault in one of its parts. */
function faulty({
  atStart = "",
  read = "await readState(key)",
  answer = "state.settings.office",
  core = "5_000",
}) {
  return startDev(async (folder) => {
    await cp(path.join(EXAMPLES, "small-app"), folder, { recursive: true });
    await writeFile(path.join(folder, "platform-app.json"), JSON.stringify(MANIFEST));
    await writeFile(
      path.join(folder, "server.mjs"),
      `import { createServer } from "node:http";
import { existsSync, writeFileSync } from "node:fs";
${atStart}
let kept, calls = 0;
async function readState(key) {
  const answer = await fetch(process.env.PLATFORM_STATE_API + "/state/" + key);
  if (!answer.ok) throw new Error("no state");
  return answer.json();
}
createServer(async (request, response) => {
  const reply = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/health") return reply(200, {});
  const key = request.headers["x-platform-key"];
  calls += 1;
  try {
    const state = ${read};
    const signal = ${core === "" ? "undefined" : `AbortSignal.timeout(${core})`};
    const headers = { authorization: "Bearer " + state.token };
    await fetch(state.coreApiUrl + "/policies/POL-1001", { headers, signal }).catch(() => undefined);
    reply(200, { data: { office: ${answer} } });
  } catch (error) {
    reply(502, { error: error.message });
  }
}).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));`,
    );
  });
}

// Guarantee: an app that does what the platform asks passes every drill.
test("the example passes every drill", { timeout: 120_000 }, async () => {
  const { emulator } = await example("vin-autofill");
  for (const name of DRILL_NAMES)
    expect(await runDrill(emulator, name)).toMatchObject({ name, state: "passed", fix: null });
});

// Guarantee: each fault fails the drill that is about it, with what to change.
describe("an app fails", () => {
  test.each([
    ["two-customers", "it keeps the first customer's state", { read: "(kept ??= await readState(key))" }],
    [
      "expired-key",
      "it answers without its state",
      { read: 'await readState(key).catch(() => ({ settings: {}, coreApiUrl: "http://127.0.0.1:9" }))' },
    ],
    ["unknown-key", "it keeps the first customer's state", { read: "(kept ??= await readState(key))" }],
    [
      "restart",
      "it answers from what it saw at its start",
      { atStart: "const start = Date.now();", answer: "start" },
    ],
    [
      "kill",
      "it finds its own lock",
      {
        atStart:
          'if (existsSync("lock.tmp")) process.exit(7); writeFileSync("lock.tmp", ""); process.on("SIGTERM", () => process.exit(0));',
      },
    ],
    ["slow-core", "it has no timeout", { core: "" }],
  ] as const)("%s, because %s", { timeout: 120_000 }, async (name, _why, fault) => {
    const { emulator } = await faulty(fault);
    const drill = await runDrill(emulator, name);
    expect(drill).toMatchObject({
      name,
      state: "failed",
      verdict: expect.any(String),
      fix: expect.any(String),
    });
  });
});

// Guarantee: an app without a fault passes, so what fails above is the fault.
test("the same app without a fault passes", { timeout: 120_000 }, async () => {
  const { emulator } = await faulty({});
  for (const name of DRILL_NAMES) expect((await runDrill(emulator, name)).state).toBe("passed");
});

// Guarantee: an app that is slow is not told that it did something wrong.
// Guarantee: an app that ignores PLATFORM_PORT is told on which port it listens, also if a script has started it.
test.skipIf(process.platform !== "linux")("an app that listens on another port is told so", async () => {
  const port = await freePort();
  const waits = new Set<string | null>();
  const serve = `node -e "require('node:http').createServer().listen(${port}, '127.0.0.1')"; true`;
  const supervisor: Supervisor = new Supervisor({
    runner: processRunner(["sh", "-c", serve], tmpdir(), { PATH: process.env.PATH }),
    stateApi: "http://127.0.0.1:1",
    onChange: () => waits.add(supervisor.status.waiting),
    onLog: () => undefined,
    readyMs: 5_000,
    slowMs: 100,
  });
  expect((await supervisor.restart("The first start.")).ready).toBe(false);
  const said = `It listens on port ${port}, not on the port in PLATFORM_PORT, which is `;
  expect([...waits].join("\n")).toContain(`The app isn't ready yet. ${said}`);
  expect(supervisor.status.exit).toMatchObject({
    code: "PORT_NOT_BOUND",
    reason: expect.stringContaining(`The app did not become ready within 5 s. ${said}`),
    nextStep: "Use the port in PLATFORM_PORT on 0.0.0.0, then save: the app restarts.",
  });
  await supervisor.stop();
});

test("an app that runs but doesn't listen in time may still be starting", async () => {
  const waits = new Set<string | null>();
  const supervisor: Supervisor = new Supervisor({
    runner: processRunner(["node", "-e", "setInterval(() => 0, 1000)"], tmpdir(), { PATH: process.env.PATH }),
    stateApi: "http://127.0.0.1:1",
    onChange: () => waits.add(supervisor.status.waiting),
    onLog: () => undefined,
    readyMs: 800,
    slowMs: 200,
  });
  expect((await supervisor.restart("The first start.")).ready).toBe(false);
  expect([...waits]).toEqual([
    null,
    expect.stringMatching(
      /^The app isn't listening on its port yet: the one in PLATFORM_PORT, \d+\. Waiting up to 0\.8 s in total for GET \/health to return 200\.$/,
    ),
  ]);
  expect(supervisor.status.waiting).toBeNull();
  expect(supervisor.status.exit).toMatchObject({
    code: "PORT_NOT_BOUND",
    reason: expect.stringMatching(
      /^The app did not become ready within 0\.8 s\. Its process is running, but nothing answers on its port: it may still be starting/,
    ),
    nextStep: expect.stringMatching(/^Check in its log .* which port .*PLATFORM_PORT/),
  });
  await supervisor.stop();
});

test("the terminal says what a slow start waits for, once", async () => {
  const { emulator } = await example("vin-autofill");
  const terminal = recordTerminal();
  const print = createPrinter(terminal);
  const waiting = "The app isn't listening on its port yet: the one in PLATFORM_PORT, 4711.";
  const data = { ...viewInstance(emulator), state: "starting", waiting } as const;
  for (const each of [{ ...data, waiting: null }, data, data]) print({ name: "instance", data: each });
  expect(terminal.results).toEqual(["Starting node server.mjs. The first start.", `● ${waiting}`]);
});

describe("calls", () => {
  test("a webhook is signed, and the app reads the secrets that signed it", async () => {
    const { emulator, customers } = await example("policy-webhook");
    const call = await callRoute(emulator, { customerId: customers[0] ?? "", route: "webhook:/events" });
    expect(call).toMatchObject({ failure: null, response: { status: 200 } });
    expect(call.reads.map(({ what }) => what).sort()).toEqual(["state", "webhook-secrets"]);
    const other = { customerId: customers[0] ?? "", route: "webhook:/events", name: "claim.opened" };
    await expect(callRoute(emulator, other)).rejects.toThrow(/receives only these events: .*"claim\.opened"/);
    const hooks = emulator.history.calls().filter(({ kind }) => kind === "lifecycle");
    expect(hooks.map(({ name, failure }) => [name, failure]).sort()).toEqual([
      ["install", null],
      ["install", null],
      ["start", null],
      ["start", null],
    ]);
  });

  // Guarantee: however a customer comes about, the app gets each of its lifecycle hooks once.
  test("a customer that is added and removed while the app runs gets each hook once", async () => {
    const { emulator, url } = await example("policy-webhook");
    const send = (method: string, path: string, body?: unknown) =>
      fetch(`${url}/api/dev/customers${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const added: { id: string } = await (await send("POST", "", { name: "Harbor Mutual" })).json();
    expect((await send("DELETE", `/${added.id}`)).status).toBe(204);
    const hooks = emulator.history
      .calls()
      .filter(({ kind, customerId }) => kind === "lifecycle" && customerId === added.id);
    expect(hooks.map(({ name }) => name).reverse()).toEqual(["install", "start", "stop", "uninstall"]);
  });

  test("a customer that is removed while its install hook runs gets no other hook", async () => {
    const { emulator } = await example("policy-webhook");
    emulator.history.follow(({ name, data }) => {
      if (name === "call" && data.name === "install" && !data.done)
        void removeCustomer(emulator, data.customerId);
    });
    const known = emulator.history.calls().length;
    await expect(addCustomer(emulator, "Harbor Mutual")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(emulator.history.calls()).toHaveLength(known + 1);
  });

  test("an operation that isn't declared is refused before the app is called", async () => {
    const { emulator, customers } = await example("vin-autofill");
    const input = {
      customerId: customers[0] ?? "",
      route: "autofill:/autofill",
      text: '{"operation": "x"}',
    };
    await expect(callRoute(emulator, input)).rejects.toMatchObject({ code: "OPERATION_NOT_DECLARED" });
    const inTwo = { ...input, text: '{"operation": "newBusiness", "operationType": "create", "data": {}}' };
    expect(await callRoute(emulator, inTwo)).toMatchObject({ name: "newBusiness.create" });
  });
});

describe("the API", () => {
  // Guarantee: a publisher learns before publishing what browsers will not reach.
  test("a path that isn't declared is answered as the platform answers it", async () => {
    const { url, customers } = await example("vin-autofill");
    for (const path of ["/settings", "/", ""]) {
      const answer = await fetch(`${url}/r/${customers[0]}${path}`);
      expect(answer.status).toBe(404);
      const { detail } = await answer.json();
      expect(detail).toBe(explainMissingEndpoint("GET", path || "/"));
    }
  });

  // Guarantee: the state has exactly the five members, and no key but a call's own opens it.
  test("keys that open nothing all get the same answer", async () => {
    const { url, emulator } = await example("vin-autofill");
    const answers = await Promise.all(
      ["/state/x", "//state/psk_x", `/state/psk_${"A".repeat(128)}`, "/state/%00"].map(async (at) => {
        const answer = await fetch(url + at);
        return [answer.status, answer.headers.get("content-type"), await answer.text()];
      }),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]?.slice(0, 2)).toEqual([404, "application/problem+json"]);
    expect(emulator.history.reads()).toHaveLength(4);
  });

  // Guarantee: no web page reaches the emulator, by whatever name it calls it.
  test("other hosts and other origins are refused", async () => {
    const { url } = await example("vin-autofill");
    const { request } = await import("node:http");
    const status = (headers: Record<string, string>, method = "GET") =>
      new Promise((resolve) => {
        request(
          `${url}/api/dev/${method === "GET" ? "snapshot" : "restart"}`,
          { headers, method },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        ).end();
      });
    const host = new URL(url).host;
    expect(await status({ host })).toBe(200);
    expect(await status({ host: "rebound.example" })).toBe(403);
    expect(await status({ host, origin: "http://rebound.example" }, "POST")).toBe(403);
    expect(await status({ host }, "POST")).toBe(415);
  });

  // Guarantee: the page runs its own scripts and nothing else, and no other page can frame it.
  test("one policy names the page's two scripts, and a header forbids frames", async () => {
    const { url } = await example("vin-autofill");
    const answer = await fetch(url);
    expect(answer.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    const [, policy] =
      /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(await answer.text()) ?? [];
    expect(policy).toMatch(/default-src 'none'; script-src( 'sha256-[\w+/]+=*'){2};/);
  });

  // Guarantee: a secret that was entered is in the file that only the user reads, in the app, and nowhere else.
  test("secrets are never read back, and the file is private", async () => {
    const { url, emulator, customers, folder } = await example("vin-autofill");
    const [id = ""] = customers;
    const canary = "canary-93b1f0c7";
    const before = viewConfiguration(findCustomer(emulator, id), emulator.manifest);
    const body = {
      revision: before.revision,
      settings: { providerKey: { action: "set", value: canary } },
      mappings: {},
    };
    const put = (text: string) =>
      fetch(`${url}/api/installations/${id}/configuration`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: text,
      });
    expect(await (await put(JSON.stringify(body))).json()).toEqual({ revision: before.revision + 1 });
    expect(await (await put(JSON.stringify(body))).json()).toMatchObject({ code: "STALE_REVISION" });
    const call = await callRoute(emulator, { customerId: id, route: "autofill:/autofill" });
    expect(call.response?.body).toContain("your provider's account");
    const shown = await (await fetch(`${url}/api/dev/snapshot`)).text();
    const configuration = await (await fetch(`${url}/api/installations/${id}/configuration`)).text();
    expect(shown + configuration).not.toContain(canary);
    const answersFile = emulator.customers.file;
    expect(await readFile(answersFile, "utf8")).toContain(canary);
    expect((await stat(answersFile)).mode & 0o077).toBe(0);
    expect(answersFile.startsWith(folder)).toBe(false);
  });

  // Guarantee: a missing manifest is reported as missing, and the app keeps running.
  test("a deleted manifest is reported as missing, the last valid one stays in use, and the file is read when it is back", async () => {
    const { emulator, customers, folder } = await example("vin-autofill");
    const terminal = recordTerminal();
    emulator.history.follow(createPrinter(terminal));
    const file = path.join(folder, "platform-app.json");
    const text = await readFile(file, "utf8");
    await rm(file);
    await reloadManifest(emulator);
    expect(emulator.manifestView).toMatchObject({
      valid: false,
      unreadable: `${file} is missing.`,
      issues: [],
    });
    expect(terminal.results.join("\n")).toMatch(
      /is missing\.\n {2}The app keeps running with the last valid/,
    );
    expect(terminal.results.join("\n")).not.toMatch(/error|JSON/);
    const input = { customerId: customers[0] ?? "", route: "autofill:/autofill" };
    expect((await callRoute(emulator, input)).failure).toBeNull();
    await mkdir(file);
    await reloadManifest(emulator);
    expect(emulator.manifestView.unreadable).toBe(`${file} can't be read (EISDIR).`);
    await rm(file, { recursive: true });
    await writeFile(file, text);
    await reloadManifest(emulator);
    expect(emulator.manifestView).toMatchObject({ valid: true, unreadable: null });
  });

  // Guarantee: an error in the manifest changes nothing but what is said about it.
  test("an invalid manifest keeps the last valid one, and a new setting keeps the answers", async () => {
    const { emulator, customers, folder } = await example("vin-autofill");
    const file = path.join(folder, "platform-app.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"version": "1.0.0",', '"version": 1,'));
    await reloadManifest(emulator);
    expect(emulator.manifestView).toMatchObject({ valid: false, version: "1.0.0" });
    expect(emulator.manifestView.issues[0]).toMatchObject({ pointer: "/version", line: 3 });
    const added = '"fields": [{ "name": "agency", "title": "Agency", "type": "Text", "required": true },';
    await writeFile(file, text.replace('"fields": [', added));
    await reloadManifest(emulator);
    const [customer] = listCustomers(emulator);
    expect(emulator.manifestView.valid).toBe(true);
    expect(customer).toMatchObject({ configured: false, missing: [{ pointer: "/settings/agency" }] });
    const input = { customerId: customers[0] ?? "", route: "autofill:/autofill" };
    await expect(callRoute(emulator, input)).rejects.toMatchObject({ code: "WRONG_STATE" });
    await fillInCustomer(emulator, customers[0] ?? "", "missing");
    expect((await callRoute(emulator, input)).failure).toBeNull();
  });
});
