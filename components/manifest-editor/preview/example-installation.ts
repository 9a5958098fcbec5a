/** A customer that does not exist: what the preview and the state record are shown with. */
import type { LaunchTenant } from "@/components/configuration-form/launch-draft";
import { pathsOf } from "@/lib/domain/mapping";

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

export const EXAMPLE_TENANT: LaunchTenant = {
  id: "example",
  name: "Example Insurance",
  hostName: "example-insurance.core.example",
  products: [
    { name: "PersonalAuto", paths: pathsOf(PERSONAL_AUTO) },
    { name: "Homeowners", paths: pathsOf(HOMEOWNERS) },
  ],
};

export const EXAMPLE_CORE_API_URL = "https://api.core.example/example-insurance";
