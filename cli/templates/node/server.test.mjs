// Runs without the platform: the test serves the state API, and signs webhooks as the platform does.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

const secret = randomBytes(32);
const state = {
  settings: { invalidVin: "clear", note: "Ask for the registration." },
  mappings: [{ productName: "Auto", fields: { vin: "$.vehicle.vin" } }],
  coreApiUrl: "https://core.example",
  tenantHostName: "tenant.core.example",
  token: "token",
};
const answers = {
  "/state/psk_1": state,
  "/state/psk_1/webhook-secrets": { secrets: [`whsec_${secret.toString("base64")}`] },
};

const stateApi = createServer((request, response) => {
  const answer = answers[request.url];
  response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
});
let app;
let origin;

before(async () => {
  await once(stateApi.listen(0, "127.0.0.1"), "listening");
  const probe = createServer().listen(0);
  await once(probe, "listening");
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  app = spawn(process.execPath, ["server.mjs"], {
    env: { PLATFORM_PORT: port, PLATFORM_STATE_API: `http://127.0.0.1:${stateApi.address().port}` },
    stdio: "inherit",
  });
  origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(`${origin}/health`).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

after(async () => {
  app.kill("SIGTERM");
  stateApi.close();
  assert.deepEqual(await once(app, "exit"), [0, null]);
});

const post = (path, body, headers = {}) =>
  fetch(origin + path, { method: "POST", body, headers: { "x-PLATFORM-key": "psk_1", ...headers } });

test("is healthy", async () => {
  assert.equal((await fetch(`${origin}/health`)).status, 200);
});

test("autofill puts the VIN into its standard form", async () => {
  const data = { vehicle: { vin: "wvw-zzz1k zaw123456" } };
  const response = await post("/autofill", JSON.stringify({ productName: "Auto", data }));
  assert.deepEqual(await response.json(), {
    data: { vehicle: { vin: "WVWZZZ1KZAW123456" } },
    note: "Ask for the registration.",
  });
});

test("autofill clears an invalid VIN, as this customer chose", async () => {
  const data = { vehicle: { vin: "123" } };
  const response = await post("/autofill", JSON.stringify({ productName: "Auto", data }));
  assert.deepEqual((await response.json()).data, { vehicle: { vin: "" } });
});

test("events are accepted only with a valid signature", async () => {
  const event = JSON.stringify({ id: "evt-1", type: "policy.issued" });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`evt-1.${timestamp}.${event}`).digest("base64");
  const headers = {
    "webhook-id": "evt-1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  assert.equal((await post("/events", event, headers)).status, 200);
  assert.equal((await post("/events", event.replace("issued", "cancelled"), headers)).status, 401);
  assert.equal((await post("/events", event)).status, 401);
});
