/** An imaginary customer and plausible answers, for the preview and the state record. */
import type { Setting } from "@/lib/contract/catalog/manifest";
import { isPathField, isSensitive } from "@/lib/contract/platform/manifest-terms";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { settingPointer } from "@/lib/domain/catalog/configuration";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";
import { listPaths } from "@/lib/domain/catalog/mapping/schema-tree";
import { findExample, guessPath } from "@/lib/domain/catalog/mapping/suggest-paths";
import type { LaunchTenant } from "../../configuration-form/launch-draft";

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
        annualKilometres: { type: "number", title: "Kilometers per year" },
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
        constructionYear: { type: "integer", title: "Year built" },
        livingArea: { type: "number", title: "Living area" },
      },
    },
    sumInsured: { type: "number", title: "Sum insured" },
  },
};

const policyHolder = {
  name: "Ada Example",
  email: "ada@example.com",
  birthDate: "1987-04-12",
  address: { street: "1 Harbor Street", postalCode: "8001", country: "CH" },
};

const PERSONAL_AUTO_SAMPLE = {
  policyHolder,
  vehicle: {
    vin: "1HGCM82633A004352",
    make: "Honda",
    model: "Accord",
    modelYear: 2003,
    annualKilometres: 12_000,
  },
  drivers: [policyHolder, { ...policyHolder, name: "Ben Example", email: "ben@example.com" }],
};

const HOMEOWNERS_SAMPLE = {
  policyHolder,
  property: { address: policyHolder.address, constructionYear: 1962, livingArea: 148 },
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

/** Example answers to everything that the sheet leaves open, for these products. */
export function createExampleAnswers(
  sheet: AnswerSheet,
  products: readonly { name: string; schema?: unknown }[],
): AnswerChange[] {
  const { declared, mappingFields } = sheet.form;
  const settings = declared
    .filter((setting) => sheet.value(setting) === undefined)
    .map((setting): AnswerChange => {
      const text = createExample(setting);
      return [settingPointer(setting.name), text === undefined ? undefined : { action: "set", text }];
    });
  const paths = products.flatMap(({ name, schema }) => {
    const known = listPaths(schema);
    return mappingFields.flatMap((field, index): AnswerChange[] => {
      const text = isPathField(field)
        ? (guessPath(field, known) ?? known[index % Math.max(known.length, 1)]?.path)
        : (findExample(field.hint) ?? `Example ${field.title}`.slice(0, 60));
      if (text === undefined || sheet.path(name, field.name) !== "") return [];
      return [[mappingPointer(name, field.name), { action: "set", text }]];
    });
  });
  return [...settings, ...paths];
}

function createExample(setting: Setting): string | undefined {
  if (setting.type === "Select") return setting.values?.[0]?.value;
  if (isSensitive(setting)) return `example-${setting.name}`;
  if (/url|address|endpoint/i.test(setting.name)) return "https://service.example";
  if (/mail/i.test(setting.name)) return "name@insurer.example";
  if (/factor|rate|percent|count|limit|discount|number|days|hours/i.test(setting.name)) return "1";
  return `Example ${setting.title}`.slice(0, 60);
}
