import type { ListingInput } from "@/lib/contract/listing";

/** The listings of the three example apps; their folders under `examples/` have the same names. */
const company = "Acme Apps builds small, sharp tools for insurers.";

export const DEMO_APPS: readonly ListingInput[] = [
  {
    appName: "vin-autofill",
    title: "VIN autofill",
    about: {
      product: "Fills in **make** and **model year** while an agent types, from the VIN alone.",
      company,
      offering:
        "- Knows where each of your products keeps its VIN\n- Verifies North American check digits\n- Greets your agents in your own words",
    },
    requirements: {
      technicalDetails:
        "One container, no storage. It reads the policy from the core with the token of the call.",
      launchInstructions:
        "Choose your region, and map the VIN of each product. The key of a VIN provider is optional.",
      complianceDetails: "Keeps nothing between two calls.",
    },
  },
  {
    appName: "policy-webhook",
    title: "Policy events",
    about: {
      product: "Turns each issued or cancelled policy into a **signed message** for your own systems.",
      company,
      offering: "- Signed with a key that only you know\n- Routed to underwriting or to claims",
    },
    requirements: {
      technicalDetails: "HMAC-SHA-256 over the message; verify it with the key that you enter.",
      launchInstructions: "Enter a signing key of at least 16 characters, and choose a channel.",
      complianceDetails: "The signing key is encrypted at rest and never shown again.",
    },
  },
  {
    appName: "telematics-rater",
    title: "Telematics rater",
    about: {
      product: "Prices motor policies by **how far the vehicle is driven**.",
      company,
      offering: "- Your own price factor and currency\n- Each product with its own mapping",
    },
    requirements: {
      technicalDetails: "Answers within milliseconds; needs the kilometres a year.",
      launchInstructions:
        "Set the factor, map the kilometres of each product, then attach the rater in your core.",
      complianceDetails: "Uses no personal data.",
    },
  },
];
