/** A tenant for tests: connected, with two products and an installation. */
import type { TenantView } from "@/lib/contract/installations/installation-view";

const AT = "2026-11-20T10:00:00.000Z";

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
