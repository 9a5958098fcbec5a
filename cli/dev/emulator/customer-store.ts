/**
 * The made-up customers of one app and their answers, in a file that only its owner can read. Secrets are in it as they were
 * entered: the file is for made-up and test credentials.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { CONFIGURATION_CAUSES } from "@/lib/contract/catalog/installation-states";
import { SETTING_TYPES } from "@/lib/contract/platform/manifest-terms";
import { parseJson } from "@/lib/contract/platform/problem";
import { suggestSlug } from "@/lib/domain/accounts/organization";
import { createSample } from "@/lib/domain/catalog/mapping/schema-parts";
import { rememberPrivately } from "../../terminal/replace-file";

const storedSetting = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("plain"), value: z.string() }),
  z.object({
    kind: z.literal("sealed"),
    value: z.string(),
    type: z.enum(SETTING_TYPES),
    updatedAt: z.string(),
    by: z.string(),
  }),
]);
export type LocalSetting = z.infer<typeof storedSetting>;

const customer = z.object({
  id: z.uuid(),
  name: z.string(),
  tenantHostName: z.string(),
  /** Which made-up products it sells. */
  productSet: z.int(),
  settings: z.record(z.string(), storedSetting),
  mappings: z.array(z.object({ productName: z.string(), fields: z.record(z.string(), z.string()) })),
  revision: z.int(),
  cause: z.enum(CONFIGURATION_CAUSES),
  savedAt: z.string(),
  webhookSecret: z.string(),
  /** Its install hook has answered. */
  installed: z.boolean(),
  /** Nobody has answered for it yet: the emulator makes answers up as soon as it knows the manifest. */
  fresh: z.boolean(),
});
export type LocalCustomer = z.infer<typeof customer>;

/** Who saves answers. A name, because sentences begin with it and contain it. */
export const SAVED_BY = "Test User";

const FIRST = ["Lakeside Insurance", "Summit Mutual"];

export interface CustomerStore {
  file: string;
  list(): readonly LocalCustomer[];
  find(id: string): LocalCustomer | undefined;
  add(name: string): Promise<LocalCustomer>;
  remove(id: string): Promise<void>;
  change(id: string, changes: Partial<LocalCustomer>): Promise<LocalCustomer>;
}

/** The file in which the answers for the app in a folder are kept. */
export function answersFile(stateFolder: string, folder: string): string {
  const id = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(stateFolder, "dev", `${path.basename(folder).replace(/[^\w.-]/g, "_")}-${id}.json`);
}

/** Creates two customers if there is no file, or if it cannot be read as one. */
export async function openCustomers(
  file: string,
  note: (line: string) => void = () => undefined,
): Promise<CustomerStore> {
  let isTold = false;
  const text = await readFile(file, "utf8").catch(() => undefined);
  const parsed = z.object({ customers: z.array(customer) }).safeParse(parseJson(text ?? ""));
  let customers = parsed.success ? parsed.data.customers : [];
  if (customers.length === 0) {
    for (const name of FIRST) customers = [...customers, create(name, customers)];
    await save();
  }
  return {
    file,
    list: () => customers,
    find: (id) => customers.find((each) => each.id === id),
    add: async (name) => {
      const added = create(name, customers);
      customers = [...customers, added];
      await save();
      return added;
    },
    remove: async (id) => {
      customers = customers.filter((each) => each.id !== id);
      await save();
    },
    change: async (id, changes) => {
      customers = customers.map((each) => (each.id === id ? { ...each, ...changes } : each));
      await save();
      const changed = customers.find((each) => each.id === id);
      if (changed === undefined) throw new Error(`customer ${id} does not exist`);
      return changed;
    },
  };

  async function save(): Promise<void> {
    await rememberPrivately(file, { customers }, (line) => {
      if (!isTold) note(line);
      isTold = true;
    });
  }
}

function create(name: string, others: readonly LocalCustomer[]): LocalCustomer {
  const taken = new Set(others.map(({ tenantHostName }) => tenantHostName));
  const base = suggestSlug(name) || "customer";
  let host = `${base}.core.example`;
  for (let n = 2; taken.has(host); n += 1) host = `${base}-${n}.core.example`;
  const last = others.at(-1)?.productSet ?? -1;
  return {
    id: randomUUID(),
    name,
    tenantHostName: host,
    productSet: last + 1,
    settings: {},
    mappings: [],
    revision: 1,
    cause: "launch",
    savedAt: new Date().toISOString(),
    webhookSecret: `whsec_${randomBytes(32).toString("base64")}`,
    installed: false,
    fresh: true,
  };
}

interface LocalProduct {
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

/** What the made-up customers sell. Their products differ, so that an app that knows only one shape fails here first. */
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
