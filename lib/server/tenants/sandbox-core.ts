/** The contents of a sandbox tenant on the platform's own core, and the call that stores them there. */
import { request } from "undici";
import { Problem } from "@/lib/contract/problem";
import { CORE_DEADLINE_MS } from "../core-client/core-agent";

const text = { type: "string" };

const PRODUCTS = [
  {
    name: "Sample Auto",
    schema: {
      type: "object",
      required: ["vehicle"],
      properties: {
        vehicle: {
          type: "object",
          required: ["vin"],
          properties: {
            vin: { ...text, title: "VIN" },
            make: text,
            modelYear: { type: "integer", title: "Model year" },
            annualKilometres: { type: "integer", title: "Kilometers per year" },
          },
        },
        drivers: {
          type: "array",
          items: {
            type: "object",
            required: ["name"],
            properties: { name: text, birthDate: { ...text, format: "date", title: "Date of birth" } },
          },
        },
      },
    },
    sample: {
      vehicle: { vin: "1HGCM82633A004352", make: "Honda", modelYear: 2003, annualKilometres: 14000 },
      drivers: [{ name: "Sam Sample", birthDate: "1985-04-12" }],
    },
  },
  {
    name: "Sample Home",
    schema: {
      type: "object",
      required: ["building"],
      properties: {
        building: {
          type: "object",
          required: ["address"],
          properties: {
            address: {
              type: "object",
              properties: { street: text, town: text, postalCode: { ...text, title: "Postal code" } },
            },
            yearBuilt: { type: "integer", title: "Built in" },
            floorArea: { type: "number", title: "Floor area in m²" },
          },
        },
        sumInsured: { type: "number", title: "Sum insured" },
      },
    },
    sample: {
      building: {
        address: { street: "1 Sample Street", town: "Exampleton", postalCode: "10001" },
        yearBuilt: 1964,
        floorArea: 118.5,
      },
      sumInsured: 350000,
    },
  },
];

const [auto, home] = PRODUCTS;

/** Fictional data, the same for every organization. */
export const SANDBOX_CONTENT = {
  products: PRODUCTS,
  policies: {
    "POL-1001": { productName: auto?.name, policyHolder: { name: "Sam Sample" }, data: auto?.sample },
    "POL-2001": { productName: home?.name, policyHolder: { name: "Sally Sample" }, data: home?.sample },
  },
};

/** @param platformCore a setting of the platform, never user input */
export async function putSandbox(platformCore: string, hostName: string, changes: object): Promise<void> {
  const status = await request(`${platformCore}/tenants/${hostName}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(changes),
    signal: AbortSignal.timeout(CORE_DEADLINE_MS),
  }).then(
    async ({ statusCode, body }) => body.dump().then(() => statusCode),
    () => undefined,
  );
  if (status === 200) return;
  const what = status === undefined ? "did not respond" : `returned ${status}`;
  throw new Problem("CORE_FAILED", `The platform's own core ${what}. Try again in a moment.`);
}
