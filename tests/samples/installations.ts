/** An installation for tests: running, configured, with a route of each kind. */
import type { InstallationView, TenantView } from "@/lib/contract/installations/installation-view";

const AT = "2026-11-20T10:00:00.000Z";
const INSTALLATION_ID = "6f1b2c34-0000-4000-8000-000000000001";

export function sampleInstallation(changed: Partial<InstallationView> = {}): InstallationView {
  const route = (number: number) => ({
    routeId: `6f1b2c34-0000-4000-8000-00000000010${number}`,
    address: `http://127.0.0.1:4000/r/6f1b2c34-0000-4000-8000-00000000010${number}`,
    name: "",
    patterns: [],
    ended: false,
  });
  return {
    id: INSTALLATION_ID,
    state: "RUNNING",
    reason: null,
    reasonCode: null,
    health: { status: changed.state ?? "RUNNING", problems: [] },
    installedAt: changed.state === "ERROR" ? null : AT,
    test: false,
    trialEndsAt: null,
    used: null,
    title: "Telematics rater",
    name: "acme/telematics-rater",
    publisherName: "Acme Apps",
    support: { link: "", address: "support@acme.example" },
    listing: { state: "PUBLIC", suspension: null },
    version: "1.0.0",
    imageDigest: `sha256:${"4f".repeat(32)}`,
    tenant: {
      id: "6f1b2c34-0000-4000-8000-000000000002",
      name: "Production",
      hostName: "harbor.core.example",
      coreApiUrl: "https://core.example/tenants/harbor.core.example",
      sandbox: false,
    },
    createdAt: AT,
    createdBy: "Maya",
    updatedAt: AT,
    instance: {
      runtime: "docker",
      state: "READY",
      reasonCode: null,
      reason: null,
      moving: false,
      readyAt: AT,
      failures: 0,
      lastFailure: null,
      log: null,
    },
    configuration: {
      revision: 6,
      savedAt: AT,
      savedBy: "Maya",
      settings: [
        { name: "region", title: "Region", sensitive: false, shown: "Europe", configured: true },
        { name: "greeting", title: "Greeting", sensitive: false, configured: false },
        { name: "key", title: "Provider key", sensitive: true, configured: true, updatedAt: AT, by: "Maya" },
      ],
      mappings: [{ productName: "Private Motor", fields: { vin: "$.car.chassisNumber" } }],
      mappingFields: [{ name: "vin", title: "VIN field", required: true }],
    },
    endpoints: [],
    routeBase: "http://127.0.0.1:3001/r/018f0000-0000-7000-8000-0000000000b0",
    routes: [
      { ...route(1), kind: "webhook", path: "/events", patterns: ["policy.issued", "policy.cancelled"] },
      { ...route(2), kind: "autofill", path: "/autofill", patterns: ["newBusiness.*"] },
      { ...route(3), kind: "rater", path: "/rate", name: "Telematics", ended: true },
    ],
    logsPath: null,
    upgradeTo: null,
    newTerms: null,
    rollbackTo: null,
    upgrade: null,
    changedProducts: [],
    ...changed,
  };
}

export function sampleTenant(changed: Partial<TenantView> = {}): TenantView {
  const schema = {
    type: "object",
    properties: {
      vehicle: { type: "object", properties: { vin: { type: "string", title: "VIN" } } },
      drivers: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    },
  };
  const product = { refreshedAt: AT, changedAt: AT, schema };
  return {
    id: "6f1b2c34-0000-4000-8000-000000000002",
    name: "Production",
    hostName: "harbor.core.example",
    coreApiUrl: "https://core.example/tenants/harbor.core.example",
    sandbox: false,
    trialEndsAt: null,
    connectedAt: AT,
    credential: { configured: true, updatedAt: AT, by: "Maya" },
    coreCredentials: [
      { id: "6f1b2c34-0000-4000-8000-000000000003", createdAt: AT, expiresAt: null, lastUsedAt: AT },
    ],
    connection: null,
    products: [
      { ...product, name: "Private Motor", sample: { vehicle: { vin: "1HGCM82633A004352" } } },
      { ...product, name: "Home", sample: null },
    ],
    installations: [
      {
        id: "6f1b2c34-0000-4000-8000-000000000001",
        title: "VIN autofill",
        version: "1.0.0",
        state: "RUNNING",
        health: { status: "RUNNING", problems: [] },
        test: false,
      },
    ],
    ...changed,
  };
}
