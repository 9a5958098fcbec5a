/** What the emulator reports, for tests of its page: two customers, three routes, a call with its read, and the drills. */
import type { DevCall, DevRead } from "@/cli/dev/contract/calls";
import { DRILL_NAMES, type DevDrill } from "@/cli/dev/contract/drills";
import type { DevSnapshot } from "@/cli/dev/contract/snapshot";

export const LAKESIDE = "6f1b2c34-0000-4000-8000-0000000000a1";
export const NORTHWIND = "6f1b2c34-0000-4000-8000-0000000000b2";

export function sampleDevRead(changed: Partial<DevRead> = {}): DevRead {
  return {
    id: "read-1",
    at: "2026-11-20T10:00:01.012Z",
    callId: "call-1",
    customerId: LAKESIDE,
    customerName: "Lakeside Insurance",
    key: "sk_7Qw…x4Tz",
    what: "state",
    status: 200,
    ms: 1.4,
    refusal: null,
    answered: {
      settings: { region: "eu", apiKey: "•••" },
      mappings: { Auto: { vin: "$.vehicle.vin" } },
      tenantHostName: "lakeside.example",
      coreApiUrl: "http://127.0.0.1:4790/core/lakeside",
      token: "•••",
    },
    ...changed,
  };
}

export function sampleDevCall(changed: Partial<DevCall> = {}): DevCall {
  return {
    id: "call-1",
    customerId: LAKESIDE,
    customerName: "Lakeside Insurance",
    sender: "console",
    route: "autofill:/autofill",
    kind: "autofill",
    name: "newBusiness.create",
    startedAt: "2026-11-20T10:00:01.000Z",
    request: {
      method: "POST",
      path: "/autofill",
      headers: { "content-type": "application/json", "x-state-key": "sk_7Qw…x4Tz" },
      body: '{"operation":"newBusiness.create","data":{"vin":"1HGCM82633A004352"}}',
    },
    done: true,
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{\n  "data": {\n    "make": "Honda",\n    "year": 2003\n  }\n}',
    },
    ms: 14.2,
    fault: null,
    failure: null,
    issues: [],
    reads: [sampleDevRead()],
    ...changed,
  };
}

export function sampleDrill(changed: Partial<DevDrill> = {}): DevDrill {
  return {
    name: "two-customers",
    state: "idle",
    startedAt: null,
    ms: null,
    steps: [],
    verdict: null,
    fix: null,
    ...changed,
  };
}

export function sampleDevSnapshot(changed: Partial<DevSnapshot> = {}): DevSnapshot {
  const health = Array.from({ length: 60 }, (_, second) => ({
    at: `2026-11-20T09:59:${String(second).padStart(2, "0")}.000Z`,
    ok: second !== 20,
    ms: 2.1,
    problem: second === 20 ? "GET /health returned 500." : null,
  }));
  const route = { title: "", patterns: [], names: [], methods: ["POST"] };
  return {
    runId: "run-1",
    cliVersion: "0.1.0",
    folder: "/home/maya/vin-autofill",
    stateApi: "http://127.0.0.1:4790",
    answersFile: "/home/maya/.local/state/platform-app/dev/answers.json",
    manifest: {
      file: "/home/maya/vin-autofill/platform-app.json",
      name: "acme/vin-autofill",
      version: "1.0.0",
      title: "VIN Autofill",
      routes: [
        {
          ...route,
          route: "autofill:/autofill",
          kind: "autofill",
          path: "/autofill",
          title: "/autofill",
          patterns: ["newBusiness.*"],
          names: ["newBusiness.create"],
        },
        {
          ...route,
          route: "webhook:/events",
          kind: "webhook",
          path: "/events",
          title: "/events",
          patterns: ["policy.*"],
          names: ["policy.issued", "policy.cancelled"],
        },
        {
          ...route,
          route: "endpoint:/status/*",
          kind: "endpoint",
          path: "/status/*",
          title: "Status page",
          methods: ["GET", "POST"],
        },
        {
          ...route,
          route: "lifecycle:/_app/install",
          kind: "lifecycle",
          path: "/_app/install",
          title: "/_app/install",
          methods: ["GET"],
        },
      ],
      settings: 5,
      mappingFields: 2,
      valid: true,
      unreadable: null,
      issues: [],
      readAt: "2026-11-20T09:59:00.000Z",
    },
    instance: {
      state: "ready",
      how: "process",
      what: "node server.mjs",
      port: 41234,
      startedAt: "2026-11-20T09:59:00.000Z",
      readyAt: "2026-11-20T09:59:01.000Z",
      waiting: null,
      restarts: 1,
      cause: "server.mjs changed",
      health,
      exit: null,
    },
    settings: { core: "normal", coreDelayMs: 15_000 },
    customers: [
      {
        id: LAKESIDE,
        name: "Lakeside Insurance",
        tenantHostName: "lakeside.example",
        coreApiUrl: "http://127.0.0.1:4790/core/lakeside",
        revision: 3,
        configured: true,
        missing: [],
        products: ["Personal Auto", "Commercial Auto"],
      },
      {
        id: NORTHWIND,
        name: "Northwind Mutual",
        tenantHostName: "northwind.example",
        coreApiUrl: "http://127.0.0.1:4790/core/northwind",
        revision: 1,
        configured: false,
        missing: [{ code: "required", pointer: "/settings/apiKey", message: "Enter the provider key." }],
        products: ["Personal Auto"],
      },
    ],
    calls: [
      sampleDevCall(),
      sampleDevCall({
        id: "call-0",
        sender: "platform",
        route: "lifecycle:/_app/install",
        kind: "lifecycle",
        name: "install",
        request: { method: "GET", path: "/_app/install", headers: {}, body: null },
        reads: [],
      }),
    ],
    reads: [
      sampleDevRead({
        id: "read-2",
        callId: null,
        customerId: null,
        customerName: null,
        key: "sk_bad…0000",
        status: 404,
        refusal: "This key was never given to the app.",
        answered: null,
      }),
      sampleDevRead(),
    ],
    drills: DRILL_NAMES.map((name) => sampleDrill({ name })),
    log: [
      { id: 1, at: "2026-11-20T09:59:00.500Z", stream: "stdout", text: "Listening on port 41234" },
      {
        id: 2,
        at: "2026-11-20T10:00:01.005Z",
        stream: "stderr",
        text: "Cache is cold, decoding the VIN at the provider took longer than usual: 1HGCM82633A004352",
      },
    ],
    ...changed,
  };
}
