import type { ListingInput, ListingText } from "@/lib/contract/catalog/listing";
import type { Manifest } from "@/lib/contract/catalog/manifest";

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
    privacy: {
      data: ["policies", "objects"],
      otherData: "",
      storedOutside: false,
      countries: [],
      subProcessors: [],
      retention: "Nothing is kept after a call.",
      contact: "privacy@acme.example",
    },
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
      complianceDetails: "Nothing is stored between calls.",
    },
  },
  {
    appName: "policy-webhook",
    title: "Policy events",
    tagline: "Signed messages for your own systems, for every policy",
    category: "integration",
    links: createLinks("acme", "policy-webhook"),
    privacy: {
      data: ["people", "policies"],
      otherData: "",
      storedOutside: true,
      countries: ["CH", "DE"],
      subProcessors: [{ name: "Example Cloud", purpose: "Hosts the queue of messages", country: "IE" }],
      retention: "30",
      contact: "privacy@acme.example",
    },
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
    captions: ["Make and model year, filled in from the VIN", "Vehicles by make, in one week"],
  },
  { appName: "policy-webhook", captions: ["Signed messages of the last hour"] },
  {
    appName: "telematics-rater",
    captions: ["What a driver would pay, by kilometers per year", "Prices of a portfolio"],
  },
];

/**
 * An app of the demo's marketplace. It runs the code of `examples/small-app`, or that of a folder of its own. Its pictures are
 * `pictures/<appName>/icon.webp`, `1.webp`, `2.webp` and so on.
 */
export interface CatalogApp
  extends
    Required<Pick<ListingInput, "appName" | "title" | "tagline" | "category">>,
    Pick<Manifest, "app" | "core"> {
  product: string;
  offering: string;
  technicalDetails: string;
  launchInstructions: string;
  complianceDetails: string;
  /** One for each screenshot. */
  captions: readonly string[];
  version: string;
  releaseNotes: string;
}

export const ACME_APPS: readonly CatalogApp[] = [
  {
    appName: "renewal-reminders",
    title: "Renewal reminders",
    tagline: "Reminds policyholders before their policy lapses, in your own words",
    category: "communication",
    version: "2.1.0",
    releaseNotes: "- Reminders are cancelled with the policy\n- A second reminder is optional",
    product:
      "Schedules **friendly reminders** with your email or text message provider when a policy is issued or renewed, and cancels them if the policy is cancelled. Your words, your sender, your schedule.",
    offering:
      "- Up to three reminders for each renewal\n- Templates in eleven languages\n- Respects opt-outs in the policy",
    technicalDetails:
      "Listens to `policy.issued`, `policy.renewed` and `policy.cancelled`. Your provider sends each message on its date.",
    launchInstructions: "Enter your sender's name, and choose how many days before the renewal to remind.",
    complianceDetails: "Contact data goes only to the provider that you choose.",
    captions: ["What a policyholder receives, in your own words"],
    app: {
      fields: [
        { name: "sender", title: "Sender's name", type: "Text", required: true },
        {
          name: "lead",
          title: "Remind",
          type: "Select",
          required: true,
          values: [
            { text: "30 days before", value: "30" },
            { text: "14 days before", value: "14" },
          ],
        },
        { name: "mailKey", title: "Mail provider key", type: "Password", required: true },
      ],
    },
    core: {
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.renewed", "policy.cancelled"] }],
      lifecycle: ["install", "uninstall"],
      permissions: [{ name: "customers:read", purpose: "Finds the policyholder's address and phone number" }],
      hosts: [{ host: "api.mail.example", purpose: "Sends the reminders with your mail provider's key" }],
    },
  },
  {
    appName: "claims-intake",
    title: "Claims intake",
    tagline: "Sorts first notices of loss and sends each to the right desk",
    category: "claims",
    version: "1.2.0",
    releaseNotes: "- Loss codes are part of the image",
    product:
      "Reads **first notices of loss**, finds the loss code and urgency, and assigns each claim to the desk that handles it.",
    offering:
      "- Assigns by line of business and urgency\n- Urgent claims are marked within seconds\n- Twelve lines of business",
    technicalDetails: "Listens to `claim.opened`. Loss codes are part of the image.",
    launchInstructions: "Enter the address of your claims desk. Assignments can be changed later.",
    complianceDetails: "Descriptions of losses are read in memory and not stored.",
    captions: ["Claims of the morning, sorted by urgency"],
    app: { fields: [{ name: "deskEmail", title: "Claims desk", type: "Text", required: true }] },
    core: {
      webhooks: [{ path: "/events", events: ["claim.opened"] }],
      permissions: [
        { name: "claims:read", purpose: "Reads the description of the loss" },
        { name: "claims:write", purpose: "Assigns the claim to a desk" },
      ],
      hosts: [],
    },
  },
];
