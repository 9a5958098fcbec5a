/** Each template as a publisher gets it: created by the command, tested by its own tests, and called like the platform calls it. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BUILD_ENVIRONMENT,
  type Customer,
  findMissing,
  isLanguageDue,
  prepareGo,
  type RunningApp,
  startStateApi,
  startTemplate,
} from "@/tests/template-app";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";
import { TEMPLATE_NAMES } from "./templates";

const run = promisify(execFile);
const createSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const [SECRET, OLD_SECRET, OTHER_SECRET] = [createSecret(), createSecret(), createSecret()];

const customer = (name: string, settings: Record<string, string>, vin: string): Customer => ({
  state: {
    settings,
    mappings: [
      { productName: "Home", fields: {} },
      { productName: "Auto", fields: { vin } },
    ],
    coreApiUrl: "https://core.example",
    tenantHostName: `${name}.core.example`,
    token: `token-of-${name}`,
  },
  secrets: [SECRET, OLD_SECRET],
});

const CUSTOMERS = {
  psk_harbor: customer("harbor", { invalidVin: "clear", note: "Ahoy “harbor” ⚓" }, "$.vehicles[1].vin"),
  psk_alpine: customer("alpine", { invalidVin: "keep", providerKey: "pk" }, "$['risk data']['vin']"),
};

const folder = await mkdtemp(path.join(tmpdir(), "templates-"));
let stateApi: Server;
let stateOrigin = "";
beforeAll(async () => ({ server: stateApi, origin: stateOrigin } = await startStateApi(CUSTOMERS)));
afterAll(async () => {
  stateApi.close();
  await rm(folder, { recursive: true });
});

for (const template of TEMPLATE_NAMES.filter(isLanguageDue)) {
  const missing = await findMissing(template);
  if (missing !== undefined) console.info(`The ${template} template is not run: ${missing}.`);

  describe.skipIf(missing !== undefined)(`the ${template} template`, () => {
    const cwd = path.join(folder, template);
    let app: RunningApp;

    beforeAll(async () => {
      const terminal = recordTerminal();
      const argv = ["init", cwd, "--template", template, "--name", "lakeside/vin-check", "--yes"];
      const status = await runProgram(argv, readCliEnvironment({ XDG_CONFIG_HOME: folder }), terminal);
      expect(status, terminal.lines.join("\n")).toBe(0);
      if (template === "go") await prepareGo();
      await run("make", ["test"], { cwd, env: BUILD_ENVIRONMENT });
      app = await startTemplate(template, cwd, stateOrigin);
    }, 240_000);
    afterAll(() => app?.child.kill("SIGKILL"));

    async function post(route: string, body: string, headers: Record<string, string> = {}) {
      const key = { "x-PLATFORM-key": "psk_harbor", "content-type": "application/json" };
      const response = await fetch(app.origin + route, {
        method: "POST",
        headers: { ...key, ...headers },
        body,
      });
      const answer: unknown = await response.json();
      return { status: response.status, answer };
    }

    test("answers with the settings and mappings of the key's customer, also at the same time", async () => {
      const call = (key: string, data: object) =>
        post("/autofill", JSON.stringify({ operation: "newBusiness.create", productName: "Auto", data }), {
          "x-PLATFORM-key": key,
        });
      const vehicles = [{ vin: "other" }, { vin: "wvw-zzz1k zaw123456", price: 12345.5 }];
      const harbor = {
        data: { vehicles: [{ vin: "other" }, { vin: "WVWZZZ1KZAW123456", price: 12345.5 }] },
        note: "Ahoy “harbor” ⚓",
      };
      const alpine = { data: { "risk data": { vin: "12" } }, warning: "The VIN is not valid." };
      const rounds = await Promise.all(
        Array.from({ length: 20 }, () =>
          Promise.all([
            call("psk_harbor", { vehicles }),
            call("psk_alpine", { "risk data": { vin: "1-2" } }),
          ]),
        ),
      );
      for (const [one, other] of rounds) {
        expect(one).toEqual({ status: 200, answer: harbor });
        expect(other).toEqual({ status: 200, answer: alpine });
      }
      const cleared = await call("psk_harbor", { vehicles: [{}, { vin: "12" }] });
      expect(cleared.answer).toMatchObject({ data: { vehicles: [{}, { vin: "" }] } });
    });

    test("answers a call without the mapped value, or of another product, with the data as it is", async () => {
      for (const data of [{}, { vehicles: [] }, { vehicles: "none" }, { vehicles: [null, { vin: 17 }] }])
        for (const productName of ["Auto", "Home", "Boat"])
          expect(await post("/autofill", JSON.stringify({ productName, data }))).toMatchObject({
            status: 200,
            answer: { data },
          });
    });

    test("refuses what it can't answer, and stays healthy", async () => {
      const unknown = { "x-PLATFORM-key": "psk_unknown" };
      expect((await post("/autofill", "{}", unknown)).status).toBe(502);
      expect((await post("/events", "{}", unknown)).status).toBe(502);
      expect((await post("/autofill", "{")).status).toBe(400);
      expect((await fetch(`${app.origin}/other`)).status).toBe(404);
      expect((await fetch(`${app.origin}/health`)).status).toBe(200);
      expect(app.log.join("")).not.toContain("psk_");
    });

    const event = JSON.stringify({ id: "evt-1", type: "policy.issued", username: "Zoë" });
    const sign = (secret: string, at = new Date(), body = event) => ({
      "webhook-id": "evt-1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt-1", at, body),
    });
    const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const valid = () => sign(SECRET);

    test.for([
      ["signed with the current secret", valid, 200],
      ["signed with the secret before the rotation", () => sign(OLD_SECRET), 200],
      ["with several signatures", () => join(sign(OTHER_SECRET), valid()), 200],
      ["with a signature of another version first", () => prefix("v1a,AAAA v2,AAAA ", valid()), 200],
      ["signed four minutes ago", () => sign(SECRET, minutesFromNow(-4)), 200],
      ["signed with another secret", () => sign(OTHER_SECRET), 401],
      ["signed for another body", () => sign(SECRET, new Date(), event.replace("issued", "expired")), 401],
      ["signed six minutes ago", () => sign(SECRET, minutesFromNow(-6)), 401],
      ["signed six minutes ahead", () => sign(SECRET, minutesFromNow(6)), 401],
      ["with another id", () => ({ ...valid(), "webhook-id": "evt-2" }), 401],
      ["with a timestamp that is not a number", () => ({ ...valid(), "webhook-timestamp": "NaN" }), 401],
      ["with an empty signature", () => ({ ...valid(), "webhook-signature": "" }), 401],
      ["with a signature that is not Base64", () => ({ ...valid(), "webhook-signature": "v1,%%%é" }), 401],
      ["without headers", () => ({}), 401],
    ] as const)("an event %s is answered as it should be", async ([, createHeaders, status]) => {
      expect((await post("/events", event, createHeaders())).status).toBe(status);
    });

    test("ends by itself on SIGTERM", async () => {
      const exited = once(app.child, "exit");
      app.child.kill("SIGTERM");
      // The JVM exits with 128 + 15 after it ran its shutdown hooks.
      expect(await exited).toEqual([template === "java" ? 143 : 0, null]);
    });
  });
}

interface Signed extends Record<string, string> {
  "webhook-signature": string;
}

function join(one: Signed, other: Signed): Signed {
  return prefix(`${one["webhook-signature"]} `, other);
}

function prefix(text: string, headers: Signed): Signed {
  return { ...headers, "webhook-signature": text + headers["webhook-signature"] };
}
