/** An upgrade offer for tests: settings and mappings that are asked, offered, kept and dropped. */
import type { LaunchOffer } from "@/components/catalog/configuration-form/launch-draft";
import type { ConfigurationView, UpgradeOffer } from "@/lib/contract/installations/configuration-view";

const AT = "2026-11-20T10:00:00.000Z";
const FROM = {
  versionId: "6f1b2c34-0000-4000-8000-000000000010",
  number: "1.0.0",
  publishedAt: "2026-11-01T10:00:00.000Z",
};
const TO = { versionId: "6f1b2c34-0000-4000-8000-000000000011", number: "2.0.0", publishedAt: AT };

export function sampleOffer(changed: Partial<UpgradeOffer> = {}): UpgradeOffer {
  return {
    installationId: "6f1b2c34-0000-4000-8000-000000000001",
    title: "Telematics rater",
    name: "acme/telematics-rater",
    test: false,
    tenantName: "Production",
    revision: 6,
    from: FROM,
    to: TO,
    rollback: false,
    targets: [TO],
    changes: [],
    declared: [
      { name: "factor", title: "Factor", type: "Text", required: true },
      { name: "endpoint", title: "Endpoint", type: "Text", required: true },
      {
        name: "currency",
        title: "Currency",
        type: "Select",
        values: [{ text: "US dollar", value: "USD" }],
      },
      { name: "discount", title: "Discount", type: "Password" },
      { name: "note", title: "Note", type: "Text" },
      { name: "apiKey", title: "Provider key", type: "Password", required: true },
    ],
    mappingFields: [
      { name: "distance", title: "Distance", required: true },
      { name: "birthDate", title: "Date of birth", required: true },
      { name: "parking", title: "Parking" },
    ],
    checksConfiguration: true,
    settings: [
      { name: "factor", sensitive: false, value: "1.15" },
      { name: "endpoint", sensitive: false, value: undefined },
      { name: "currency", sensitive: false, value: "EUR" },
      { name: "discount", sensitive: true, configured: true, updatedAt: AT, by: "Maya" },
      { name: "note", sensitive: false, value: undefined },
      { name: "apiKey", sensitive: true, configured: true, updatedAt: AT, by: "Maya" },
    ],
    mappings: [{ productName: "Auto", fields: { distance: "$.vehicle.distance" } }],
    products: [{ name: "Auto", schema: {}, changedAt: AT, changedSinceMapped: false }],
    asks: [
      { code: "setting-required", pointer: "/settings/endpoint", message: "Enter Endpoint." },
      { code: "setting-ask-again", pointer: "/settings/currency", message: "Choose Currency again." },
      { code: "setting-ask-again", pointer: "/settings/discount", message: "Enter Discount again." },
      {
        code: "mapping-required",
        pointer: "/mappings/Auto/birthDate",
        message: "Map Date of birth to a field of Auto.",
      },
    ],
    offers: ["/settings/note", "/mappings/Auto/parking"],
    publicEndpoints: [],
    rights: { added: { permissions: [], hosts: [] }, removed: [], isMore: false },
    enforcement: null,
    dropped: [],
    ...changed,
  };
}

const vehicle = {
  type: "object",
  properties: { chassisNumber: { type: "string", title: "Chassis number" } },
};

export function sampleLaunchOffer(): LaunchOffer {
  return {
    versionId: "6f1b2c34-0000-4000-8000-000000000010",
    number: "1.0.0",
    title: "VIN autofill",
    name: "acme/vin-autofill",
    publisherName: "Acme Apps",
    settings: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
        ],
      },
      { name: "greeting", title: "Greeting", type: "Text", hint: "What agents read" },
      { name: "apiKey", title: "Key of your VIN provider", type: "Password" },
    ],
    mappingFields: [{ name: "vin", title: "VIN field", hint: "Where the VIN is stored", required: true }],
    checksConfiguration: true,
    publicEndpoints: [
      { path: "/callbacks/*", methods: ["GET", "POST"], title: "Callbacks of the VIN provider" },
    ],
    rights: {
      permissions: [{ name: "policies:read", purpose: "Reads the vehicle of the policy" }],
      hosts: [
        { host: "api.vin.example", ports: [443], purpose: "Decodes VINs", optional: false },
        { host: "*.maps.example", ports: [443, 8443], purpose: "Map tiles", optional: true },
      ],
    },
    tenants: [
      {
        id: "6f1b2c34-0000-4000-8000-000000000002",
        name: "Production",
        hostName: "alpine.core.example",
        products: [
          {
            name: "Motorcycle",
            schema: { type: "object", properties: { motorcycle: vehicle } },
            sample: { motorcycle: { chassisNumber: "JH2PC35051M200020" } },
          },
          {
            name: "Private Motor",
            schema: { type: "object", properties: { car: vehicle } },
            sample: { car: { chassisNumber: "1HGCM82633A004352" } },
          },
        ],
      },
      {
        id: "6f1b2c34-0000-4000-8000-000000000003",
        name: "Staging",
        hostName: "staging.alpine.core.example",
        installedAs: "6f1b2c34-0000-4000-8000-000000000001",
        products: [],
      },
    ],
  };
}

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
