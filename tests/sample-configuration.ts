/** A configuration for tests: a plain Select and Text, three kinds of secrets, and a mapping. */
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";

export function sampleConfiguration(changed: Partial<ConfigurationView> = {}): ConfigurationView {
  return {
    installationId: "6f1b2c34-0000-4000-8000-000000000001",
    name: "acme/vin-autofill",
    title: "VIN Autofill",
    version: "1.0.0",
    test: false,
    tenantName: "Production",
    revision: 3,
    cause: "configure",
    savedAt: "2026-11-20T10:00:00.000Z",
    savedBy: "Maya",
    declared: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
          { text: "Nowhere", value: "" },
        ],
      },
      { name: "greeting", title: "Greeting", type: "Text" },
      { name: "apiKey", title: "Provider key", type: "Password", required: true },
      { name: "token", title: "Token", type: "Text", sensitive: true },
      {
        name: "plan",
        title: "Plan",
        type: "Select",
        sensitive: true,
        values: [
          { text: "Free", value: "free" },
          { text: "Gold", value: "gold" },
        ],
      },
    ],
    mappingFields: [
      { name: "vin", title: "VIN field", required: true },
      { name: "make", title: "Make field" },
    ],
    checksConfiguration: true,
    settings: [
      { name: "region", sensitive: false, value: "eu" },
      { name: "greeting", sensitive: false, value: "Hello" },
      {
        name: "apiKey",
        sensitive: true,
        configured: true,
        updatedAt: "2026-11-18T10:00:00.000Z",
        by: "Maya",
      },
      { name: "token", sensitive: true, configured: true, updatedAt: "2026-11-18T10:00:00.000Z", by: "Maya" },
      { name: "plan", sensitive: true, configured: false },
    ],
    mappings: [{ productName: "Auto", fields: { vin: "$.vehicle.vin", make: "$.vehicle.make" } }],
    products: [
      {
        name: "Auto",
        schema: {},
        changedAt: "2026-11-01T10:00:00.000Z",
        changedSinceMapped: false,
      },
    ],
    ...changed,
  };
}
