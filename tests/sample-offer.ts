/** An upgrade offer for tests: settings and mappings that are asked, offered, kept and dropped. */
import type { UpgradeOffer } from "@/lib/contract/installations/configuration-view";

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
    dropped: [],
    ...changed,
  };
}
