/** A launch offer for tests: two tenants, two products with schemas and samples, settings of each type. */
import type { LaunchOffer } from "@/components/catalog/configuration-form/launch-draft";

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
