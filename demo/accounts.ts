import type { LaunchInput } from "@/lib/contract/catalog/configuration";

export const DEMO_PASSWORD = "launch-the-demo";

export interface DemoAccount {
  email: string;
  userName: string;
  /** Shown beside the email address in the terminal. */
  description: string;
}

/** An organization and its owner. */
export interface DemoOrganization extends DemoAccount {
  slug: string;
  name: string;
}

export const PUBLISHER: DemoOrganization = {
  email: "publisher@demo.example",
  userName: "Pia Publisher",
  slug: "acme",
  name: "Acme Apps",
  description: "Acme Apps, a publisher",
};

export const HARBOR: DemoOrganization = {
  email: "harbor@demo.example",
  userName: "Hanna Harbor",
  slug: "harbor-mutual",
  name: "Harbor Mutual",
  description: "Harbor Mutual, a customer (start here)",
};

const ALPINE: DemoOrganization = {
  email: "alpine@demo.example",
  userName: "Andri Alpine",
  slug: "alpine-insurance",
  name: "Alpine Insurance",
  description: "Alpine Insurance, another customer",
};

export const MODERATOR: DemoAccount = {
  email: "moderator@demo.example",
  userName: "Mo Moderator",
  description: "the platform's moderation team",
};

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [HARBOR, ALPINE, PUBLISHER, MODERATOR];

/** Their apps fill the marketplace. The terminal doesn't list them: Acme Apps shows what a publisher sees. */
export const FJORD: DemoOrganization = {
  email: "fjord@demo.example",
  userName: "Freya Fjord",
  slug: "fjord-data",
  name: "Fjord Data",
  description: "Fjord Data, another publisher",
};

export const NORTHWIND: DemoOrganization = {
  email: "northwind@demo.example",
  userName: "Nora Northwind",
  slug: "northwind-labs",
  name: "Northwind Labs",
  description: "Northwind Labs, another publisher",
};

type Configuration = Pick<LaunchInput, "settings" | "mappings">;

export interface DemoCustomer {
  account: DemoOrganization;
  tenant: { name: string; hostName: string };
  /** By app name. Each customer's differ, so that visitors can see it in the apps' answers. */
  configurations: Record<string, Configuration>;
}

export function set(values: Record<string, string>): Configuration["settings"] {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { action: "set", value }]));
}

/** Mappings for the products of the demo's core. */
const auto = { vin: "$.vehicle.vin", make: "$.vehicle.make", modelYear: "$.vehicle.modelYear" };
const car = { vin: "$.car.chassisNumber", make: "$.car.brand", modelYear: "$.car.year" };
const motorcycle = {
  vin: "$.motorcycle.chassisNumber",
  make: "$.motorcycle.brand",
  modelYear: "$.motorcycle.year",
};

export const HARBOR_TENANT = { name: "Production", hostName: "harbor-mutual.core.example" };

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    account: HARBOR,
    tenant: HARBOR_TENANT,
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
