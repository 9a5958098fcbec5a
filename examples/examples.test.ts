import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What the platform's two sides look like to an app: the state API by key, and a core that wants the token. */
const STATES: Record<string, object> = {
  psk_harbor: stateOf("harbor.example", {
    region: "us",
    greeting: "Ahoy",
    signingKey: "h-key",
    factor: "1.2",
    currency: "USD",
  }),
  psk_alpine: stateOf("alpine.example", {
    region: "eu",
    signingKey: "a-key",
    factor: "0.9",
    currency: "CHF",
  }),
  psk_typo: stateOf("typo.example", { region: "eu", greeting: "Ahoy! ".repeat(20), providerKey: "key?" }),
};

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const OLD_SECRET = `whsec_${randomBytes(32).toString("base64")}`;

let origin = "";
function stateOf(tenantHostName: string, settings: Record<string, string>) {
  const fields = { vin: "$.vehicle.vin", modelYear: "$.vehicle.modelYear", annualKilometres: "$.vehicle.km" };
  const mappings = [{ productName: "Auto", fields }];
  return { settings, mappings, tenantHostName, token: `token-of-${tenantHostName}` };
}

const counterparts = createServer((request, response) => {
  const [, root, name = "", part] = (request.url ?? "").split("/");
  const state = root === "state" ? STATES[name] : undefined;
  if (state !== undefined && part === "webhook-secrets")
    return response.end(JSON.stringify({ secrets: [SECRET, OLD_SECRET] }));
  if (state !== undefined) return response.end(JSON.stringify({ ...state, coreApiUrl: `${origin}/core` }));
  if (root === "core" && request.headers.authorization?.startsWith("Bearer token-of-") === true) {
    return response.end(JSON.stringify({ policyHolder: { name: request.headers.authorization.slice(16) } }));
  }
  return response.writeHead(404).end("{}");
});

const apps = new Map<string, { port: number; child: ChildProcess }>();

async function listen(server: Server | ReturnType<typeof createSocket>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return port;
}

async function startApp(name: string): Promise<void> {
  const probe = createSocket();
  const port = await listen(probe);
  probe.close();
  const env = { PLATFORM_PORT: String(port), PLATFORM_STATE_API: origin, HOST: "127.0.0.1" };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, name, "server.mjs")], {
    env,
    stdio: "inherit",
  });
  apps.set(name, { port, child });
  for (let tries = 0; tries < 100; tries += 1) {
    const healthy = await fetch(`http://127.0.0.1:${port}/health`).then(
      (answer) => answer.status === 200,
      () => false,
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} did not become healthy`);
}

async function call(
  name: string,
  route: string,
  key: string,
  body: unknown,
  signature: Record<string, string> = {},
) {
  const app = apps.get(name);
  const headers = { "content-type": "application/json", "x-PLATFORM-key": key, ...signature };
  const answer = await fetch(`http://127.0.0.1:${app?.port}${route}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const json: unknown = await answer.json();
  return { status: answer.status, json };
}

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(counterparts)}`;
  await Promise.all(["vin-autofill", "policy-webhook", "telematics-rater"].map(startApp));
});

afterAll(() => {
  for (const { child } of apps.values()) child.kill("SIGKILL");
  counterparts.close();
});

// Guarantee: the autofill app's answer holds a value of the customer's settings and one that the token opened at the core.
test("autofill decodes the VIN with the settings of the key's customer", async () => {
  const data = { vehicle: { vin: "1HGCM82633A004352" } };
  const payload = { productName: "Auto", policyLocator: "POL-1001", data };
  expect(await call("vin-autofill", "/autofill", "psk_harbor", payload)).toMatchObject({
    status: 200,
    json: {
      data: { vehicle: { vin: "1HGCM82633A004352", modelYear: 2003 } },
      vehicle: { make: "Honda" },
      greeting: "Ahoy",
      policyHolder: "harbor.example",
    },
  });
  const european = { productName: "Auto", data: { vehicle: { vin: "WVWZZZ1KZAW123456" } } };
  expect(await call("vin-autofill", "/autofill", "psk_alpine", european)).toMatchObject({
    json: { vehicle: { make: "Volkswagen", modelYear: 2010 }, region: "eu" },
  });
  expect(await call("vin-autofill", "/autofill", "psk_harbor", european)).toMatchObject({ status: 422 });
});

// Guarantee: the example's own rules are checked before a save, on the answers of the key.
test("autofill checks unsaved answers and names the settings to fix", async () => {
  expect(await call("vin-autofill", "/_app/check", "psk_harbor", {})).toEqual({
    status: 200,
    json: { ok: true, issues: [] },
  });
  expect((await call("vin-autofill", "/_app/check", "psk_typo", {})).json).toMatchObject({
    ok: false,
    issues: [{ setting: "greeting" }, { setting: "providerKey" }],
  });
});

test("an invalid key is answered with an error, not with another customer's data", async () => {
  expect(await call("vin-autofill", "/autofill", "psk_nobody", {})).toMatchObject({ status: 502 });
});

// Guarantee: one running app tells its customers apart, and shows neither's key.
test("the webhook signs the same event with each customer's own key", async () => {
  const event = { id: "evt-1", type: "policy.issued" };
  const send = (key: string) => call("policy-webhook", "/events", key, event, signEvent(event));
  const [harbor, alpine] = [await send("psk_harbor"), await send("psk_alpine")];
  const signed = (key: string) =>
    `sha256=${createHmac("sha256", key).update("policy.issued (evt-1)").digest("hex")}`;
  expect(harbor.json).toMatchObject({ tenant: "harbor.example", signature: signed("h-key") });
  expect(alpine.json).toMatchObject({ tenant: "alpine.example", signature: signed("a-key") });
  expect(JSON.stringify([harbor, alpine])).not.toContain("-key");
});

function signEvent(event: object, secret = SECRET, at = new Date()): Record<string, string> {
  const signature = new Webhook(secret).sign("evt-1", at, JSON.stringify(event));
  return {
    "webhook-id": "evt-1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signature,
  };
}

// Guarantee: publishers who start from the example trust no event that somebody else sent.
test("the webhook accepts what any current secret signed, and refuses everything else", async () => {
  const event = { id: "evt-1", type: "policy.issued" };
  const send = async (signature?: Record<string, string>) =>
    (await call("policy-webhook", "/events", "psk_harbor", event, signature)).status;
  expect(await send(signEvent(event, OLD_SECRET))).toBe(200);
  const both = [SECRET, `whsec_${randomBytes(32).toString("base64")}`].map((each) => signEvent(event, each));
  const signatures = both
    .map((each) => each["webhook-signature"])
    .reverse()
    .join(" ");
  expect(await send({ ...both[0], "webhook-signature": signatures })).toBe(200);
  expect(await send()).toBe(401);
  expect(await send(both[1])).toBe(401);
  expect(await send(signEvent({ ...event, type: "policy.cancelled" }))).toBe(401);
  expect(await send(signEvent(event, SECRET, new Date(Date.now() - 600_000)))).toBe(401);
});

test("the rater multiplies with the customer's factor", async () => {
  const payload = { productName: "Auto", data: { vehicle: { km: 10_000 } } };
  expect((await call("telematics-rater", "/rate", "psk_harbor", payload)).json).toMatchObject({
    price: 720,
    currency: "USD",
  });
  expect((await call("telematics-rater", "/rate", "psk_alpine", payload)).json).toMatchObject({
    price: 540,
    currency: "CHF",
  });
});

// Guarantee: a public page answers with the settings of the installation that it was opened for, and escapes its input.
test("the rater's quote page and its callback use the customer's factor", async () => {
  const { port } = apps.get("telematics-rater") ?? {};
  const open = async (key: string, kilometers: string) => {
    const url = `http://127.0.0.1:${port}/quote?kilometers=${encodeURIComponent(kilometers)}`;
    const answer = await fetch(url, { headers: { "x-PLATFORM-key": key } });
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    return answer.text();
  };
  expect(await open("psk_harbor", "10000")).toContain("720 USD a year");
  expect(await open("psk_alpine", "10000")).toContain("540 CHF a year");
  expect(await open("psk_harbor", '"><script>')).not.toContain("<script>");
  const reported = await call("telematics-rater", "/callbacks/acme-tracks", "psk_harbor", {
    kilometers: 10_000,
  });
  expect(reported).toMatchObject({ status: 200, json: { price: 720, currency: "USD" } });
});

test("every app answers its lifecycle hooks and exits on SIGTERM", async () => {
  for (const { port, child } of apps.values()) {
    expect((await fetch(`http://127.0.0.1:${port}/_app/install?route=x`)).status).toBe(200);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  }
});
