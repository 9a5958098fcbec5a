/** A manifest that has every key; the reference takes its examples from it. */
export const MANIFEST_EXAMPLE = {
  $schema: "https://platform.example/schemas/platform-app.json",
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        hint: "Where your provider stores the data",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "North America", value: "us" },
        ],
      },
      { name: "account", title: "Account number", type: "Text", sensitive: true },
    ],
  },
  core: {
    fields: [
      {
        name: "vin",
        title: "VIN",
        hint: "The field with the vehicle identification number",
        required: true,
        format: "jsonpath",
      },
    ],
    webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    endpoints: [{ path: "/callbacks/*", methods: ["GET", "POST"], access: "public", title: "Callbacks" }],
    lifecycle: ["install", "uninstall"],
    configurationCheck: true,
  },
};
