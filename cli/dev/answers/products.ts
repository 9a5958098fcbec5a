/** What the made-up customers sell. Their products differ, so that an app that knows only one shape fails here first. */
import { createSample } from "@/lib/domain/mapping/create-sample";

export interface LocalProduct {
  name: string;
  schema: Record<string, unknown>;
  sample: unknown;
}

const text = (title?: string, example?: string) => ({
  type: "string",
  ...(title === undefined ? {} : { title }),
  ...(example === undefined ? {} : { examples: [example] }),
});
const whole = (example: number) => ({ type: "integer", examples: [example] });
const object = (properties: Record<string, unknown>) => ({ type: "object", properties });

function product(name: string, properties: Record<string, unknown>): LocalProduct {
  const schema = object(properties);
  return { name, schema, sample: createSample(schema) };
}

const personalAuto = product("Personal Auto", {
  vehicle: object({
    vin: text("VIN", "1HGCM82633A004352"),
    make: text("Make", "Honda"),
    modelYear: whole(2003),
    annualMileage: whole(9_000),
  }),
  driver: object({
    name: text("Driver", "Ada Brooks"),
    birthDate: { ...text("Date of birth", "1988-02-29"), format: "date" },
  }),
  zipCode: text("ZIP code", "60601"),
});

const homeowners = product("Homeowners", {
  home: object({
    street: text("Street", "12 Shore Road"),
    zipCode: text("ZIP code", "60601"),
    yearBuilt: whole(1974),
    insuredValue: whole(420_000),
  }),
});

const motor = product("Motor", {
  car: object({
    chassisNumber: text("Chassis number (VIN)", "WVWZZZ1K9AW123456"),
    brand: text("Make", "Volkswagen"),
    year: whole(2010),
    yearlyDistance: whole(14_000),
  }),
  holder: object({ name: text("Policyholder", "Noah Keller"), postalCode: text("Postal code", "8001") }),
});

const SETS = [[personalAuto, homeowners], [motor]] as const;

/** @param set any whole number: sets repeat */
export function productsOf(set: number): readonly LocalProduct[] {
  return SETS[set % SETS.length] ?? SETS[0];
}

/** A policy of each product, from POL-1001 on. The policyholder belongs to one customer only. */
export function policiesOf(customerName: string, set: number): Map<string, Record<string, unknown>> {
  const entries = productsOf(set).map(({ name, sample }, index) => {
    const locator = `POL-${1001 + index}`;
    const policyHolder = { name: policyHolderOf(customerName) };
    return [locator, { locator, productName: name, policyHolder, data: sample }] as const;
  });
  return new Map(entries);
}

export function policyHolderOf(customerName: string): string {
  return `Policyholder of ${customerName}`;
}
