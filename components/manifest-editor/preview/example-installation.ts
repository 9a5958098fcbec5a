/** A customer that does not exist: what the preview and the state record are shown with. */
import type { LaunchTenant } from "@/components/launch/launch-offer";

const person = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name" },
    email: { type: "string", title: "Email" },
    birthDate: { type: "string", title: "Date of birth" },
    address: {
      type: "object",
      properties: {
        street: { type: "string", title: "Street" },
        postalCode: { type: "string", title: "Postal code" },
        country: { type: "string", title: "Country" },
      },
    },
  },
};

const PERSONAL_AUTO = {
  type: "object",
  properties: {
    policyHolder: person,
    vehicle: {
      type: "object",
      properties: {
        vin: { type: "string", title: "VIN" },
        make: { type: "string", title: "Make" },
        model: { type: "string", title: "Model" },
        modelYear: { type: "integer", title: "Model year" },
        annualKilometres: { type: "number", title: "Kilometres a year" },
      },
    },
    drivers: { type: "array", items: person },
  },
};

const HOMEOWNERS = {
  type: "object",
  properties: {
    policyHolder: person,
    property: {
      type: "object",
      properties: {
        address: person.properties.address,
        constructionYear: { type: "integer", title: "Built in" },
        livingArea: { type: "number", title: "Living area" },
      },
    },
    sumInsured: { type: "number", title: "Sum insured" },
  },
};

const somebody = {
  name: "Ada Example",
  email: "ada@example.com",
  birthDate: "1987-04-12",
  address: { street: "1 Harbor Street", postalCode: "8001", country: "CH" },
};

const PERSONAL_AUTO_SAMPLE = {
  policyHolder: somebody,
  vehicle: {
    vin: "1HGCM82633A004352",
    make: "Honda",
    model: "Accord",
    modelYear: 2003,
    annualKilometres: 12_000,
  },
  drivers: [somebody, { ...somebody, name: "Ben Example", email: "ben@example.com" }],
};

const HOMEOWNERS_SAMPLE = {
  policyHolder: somebody,
  property: { address: somebody.address, constructionYear: 1962, livingArea: 148 },
  sumInsured: 850_000,
};

export const EXAMPLE_TENANT: LaunchTenant = {
  id: "example",
  name: "Example Insurance",
  hostName: "example-insurance.core.example",
  products: [
    { name: "PersonalAuto", schema: PERSONAL_AUTO, sample: PERSONAL_AUTO_SAMPLE },
    { name: "Homeowners", schema: HOMEOWNERS, sample: HOMEOWNERS_SAMPLE },
  ],
};

export const EXAMPLE_CORE_API_URL = "https://api.core.example/example-insurance";
