import type { LaunchInput } from "@/lib/contract/installation";
import { ALPINE, type DemoAccount, HARBOR } from "./accounts";

type Configuration = Pick<LaunchInput, "settings" | "mappings">;

export interface DemoCustomer {
  account: DemoAccount;
  tenant: { name: string; hostName: string };
  /** By app name: what differs between the two is what a visitor shall see differ. */
  configurations: Record<string, Configuration>;
}

function set(values: Record<string, string>): Configuration["settings"] {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { action: "set", value }]));
}

/** Where each product of the demo's core keeps what the apps ask for. */
const auto = { vin: "$.vehicle.vin", make: "$.vehicle.make", modelYear: "$.vehicle.modelYear" };
const car = { vin: "$.car.chassisNumber", make: "$.car.brand", modelYear: "$.car.year" };
const motorcycle = {
  vin: "$.motorcycle.chassisNumber",
  make: "$.motorcycle.brand",
  modelYear: "$.motorcycle.year",
};

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    account: HARBOR,
    tenant: { name: "Production", hostName: "harbor-mutual.core.example" },
    configurations: {
      "vin-autofill": {
        settings: set({ region: "us", greeting: "Ahoy from Harbor Mutual" }),
        mappings: { "Personal Auto": auto },
      },
      "policy-webhook": {
        settings: set({ signingKey: "harbor-signs-with-this", channel: "underwriting", label: "Harbor" }),
        mappings: { "Personal Auto": {} },
      },
      "telematics-rater": {
        settings: set({ factor: "1.15", currency: "USD" }),
        mappings: { "Personal Auto": { annualKilometres: "$.vehicle.annualKilometres" } },
      },
    },
  },
  {
    account: ALPINE,
    tenant: { name: "Production", hostName: "alpine-insurance.core.example" },
    configurations: {
      "vin-autofill": {
        settings: set({
          region: "eu",
          greeting: "Grüezi from Alpine Insurance",
          providerKey: "alpine-provider-account",
        }),
        mappings: { "Private Motor": car, Motorcycle: motorcycle },
      },
      "policy-webhook": {
        settings: set({ signingKey: "alpine-signs-with-that", channel: "claims", label: "Alpine" }),
        mappings: { "Private Motor": {}, Motorcycle: {} },
      },
      "telematics-rater": {
        settings: set({ factor: "0.92", currency: "CHF", partnerDiscount: "10" }),
        mappings: {
          "Private Motor": { annualKilometres: "$.car.yearlyDistance" },
          Motorcycle: { annualKilometres: "$.motorcycle.yearlyDistance" },
        },
      },
    },
  },
];
