import type { ListingInput, ListingText } from "@/lib/contract/listing";

const company = "Acme Apps builds small, sharp tools for insurers.";

/** Pages of made-up publishers, on a domain that nobody can own. */
export function createLinks(slug: string, appName: string): ListingText["links"] {
  const website = `https://${slug}.example`;
  return { website: `${website}/${appName}`, support: `${website}/support`, privacy: `${website}/privacy` };
}

/** The listings of the three example apps. Their folders in `examples/` have the same names. */
export const DEMO_APPS: readonly ListingInput[] = [
  {
    appName: "vin-autofill",
    title: "VIN autofill",
    tagline: "Make and model year from the VIN, while an agent types",
    category: "data",
    links: createLinks("acme", "vin-autofill"),
    about: {
      product: "Fills in **make** and **model year** while an agent types, from the VIN alone.",
      company,
      offering:
        "- Reads the VIN from any of your products\n- Verifies North American check digits\n- Greets your agents with your own message",
    },
    requirements: {
      technicalDetails:
        "One container, no storage. Reads the policy from the core with the token of each call.",
      launchInstructions:
        "Choose your region, and map the VIN of each product. The key of a VIN provider is optional.",
      complianceDetails: "Stores nothing between calls.",
    },
  },
  {
    appName: "policy-webhook",
    title: "Policy events",
    tagline: "Signed messages for your own systems, for every policy",
    category: "integration",
    links: createLinks("acme", "policy-webhook"),
    about: {
      product: "Turns each issued or cancelled policy into a **signed message** for your own systems.",
      company,
      offering: "- Signed with a key that only you know\n- Routed to underwriting or claims",
    },
    requirements: {
      technicalDetails: "Messages are signed with HMAC-SHA-256. Verify them with the key that you enter.",
      launchInstructions: "Enter a signing key of at least 16 characters, and choose a channel.",
      complianceDetails: "The signing key is encrypted at rest and never shown again.",
    },
  },
  {
    appName: "telematics-rater",
    title: "Telematics rater",
    tagline: "Prices motor policies by how far the vehicle is driven",
    category: "rating",
    links: createLinks("acme", "telematics-rater"),
    about: {
      product: "Prices motor policies by **how far the vehicle is driven**.",
      company,
      offering: "- Your own price factor and currency\n- A separate mapping for each product",
    },
    requirements: {
      technicalDetails: "Responds within milliseconds. Requires the annual distance in kilometers.",
      launchInstructions:
        "Set the factor, map the annual distance of each product, then attach the rater in your core.",
      complianceDetails: "Uses no personal data.",
    },
  },
];

/** What the screenshots of these apps show. Their pictures are added once the demo runs: encoding them takes time. */
export const PICTURED_APPS = [
  {
    appName: "vin-autofill",
    captions: ["Make and model year, filled in from the VIN", "Vehicles of a week by make"],
  },
  { appName: "policy-webhook", captions: ["Signed messages of the last hour"] },
  {
    appName: "telematics-rater",
    captions: ["What a driver would pay, by kilometers per year", "Prices of a portfolio"],
  },
];
