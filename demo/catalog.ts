import { type DemoOrganization, FJORD, NORTHWIND, PUBLISHER } from "./accounts";
import { ACME_APPS, type CatalogApp } from "./apps";

const FJORD_APPS: readonly CatalogApp[] = [
  {
    appName: "flood-zones",
    title: "Flood zones",
    tagline: "The flood risk of an address, while the agent is still typing",
    category: "underwriting",
    version: "3.0.0",
    releaseNotes: "- Sea level scenarios for 2050\n- Zones of river authorities in 14 more countries",
    product:
      "Fills in **flood zone**, elevation and distance to water for any address in Europe and North America, with the source beside each value.",
    offering: "- 42 public and commercial flood maps\n- Scenarios for 2030 and 2050\n- Answers within 200 ms",
    technicalDetails: "One container, no storage. Maps are part of the image and renewed with each version.",
    launchInstructions:
      "Map the address of each product, and choose the scenario that your rates are based on.",
    complianceDetails: "Addresses are looked up inside the container and never leave it.",
    captions: ["Zone, elevation and distance to water of an address", "Exposure of a portfolio by zone"],
    app: {
      fields: [
        {
          name: "scenario",
          title: "Scenario",
          type: "Select",
          required: true,
          values: [
            { text: "Today", value: "today" },
            { text: "2050 (moderate)", value: "2050-moderate" },
            { text: "2050 (severe)", value: "2050-severe" },
          ],
        },
      ],
    },
    core: {
      fields: [
        {
          name: "address",
          title: "Address",
          hint: "Where the product stores the insured address",
          required: true,
        },
      ],
      autofill: [{ path: "/autofill", operations: ["newBusiness.*", "endorsement.*"] }],
      permissions: [],
      hosts: [],
    },
  },
  {
    appName: "address-check",
    title: "Address check",
    tagline: "Corrects and completes postal addresses in 38 countries",
    category: "data",
    version: "1.8.0",
    releaseNotes: "- New: apartments and floors in Spain and Italy",
    product:
      "Corrects **typos, postal codes and street names** when a policy is quoted, so that letters arrive and rates are right.",
    offering: "- Official registers of 38 countries\n- Suggests, never overwrites\n- Geocodes for your rater",
    technicalDetails: "Asks the register's service with your key. Without one, checks postal codes alone.",
    launchInstructions: "Enter your register key, and map street, postal code and city.",
    complianceDetails: "Sends addresses without names. The register logs no requests.",
    captions: ["A corrected address, with what changed"],
    app: {
      fields: [
        {
          name: "registerKey",
          title: "Register key",
          type: "Password",
          hint: "From your register's console",
        },
        { name: "language", title: "Language of street names", type: "Text" },
      ],
    },
    core: {
      fields: [
        { name: "street", title: "Street and number", required: true },
        { name: "postalCode", title: "Postal code", required: true },
        { name: "city", title: "City", required: true },
      ],
      autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
      permissions: [],
      hosts: [
        { host: "*.registers.example", purpose: "Looks up addresses in official registers", optional: true },
      ],
    },
  },
  {
    appName: "loss-history",
    title: "Loss history",
    tagline: "Five years of claims of an applicant, from shared registers",
    category: "underwriting",
    version: "1.3.0",
    releaseNotes: "- Shows claims that were withdrawn",
    product:
      "Fills in **claims of the last five years** from the registers that insurers share, with the applicant's consent.",
    offering:
      "- Motor, property and liability\n- A score from 0 to 100\n- Consent is recorded with each request",
    technicalDetails: "Calls the register with the customer's certificate. Answers take up to two seconds.",
    launchInstructions:
      "Upload your certificate at the register, then enter the member number that you receive.",
    complianceDetails:
      "Requests are limited to applicants who consented. Results are stored only in your core.",
    captions: ["Claims of the last five years, and the score"],
    app: {
      fields: [
        { name: "memberNumber", title: "Member number", type: "Text", required: true },
        { name: "memberKey", title: "Member key", type: "Password", required: true },
      ],
    },
    core: {
      fields: [
        { name: "applicant", title: "Applicant's name", required: true },
        { name: "birthDate", title: "Date of birth", required: true },
        { name: "score", title: "Score", hint: "Where to write the score" },
      ],
      autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
      permissions: [],
      hosts: [{ host: "claims.registers.example", purpose: "Asks for earlier claims of the applicant" }],
    },
  },
  {
    appName: "sanctions-screening",
    title: "Sanctions screening",
    tagline: "Screens policyholders and payees against sanctions lists with each policy and claim",
    category: "compliance",
    version: "4.2.0",
    releaseNotes: "- Names in Cyrillic, Arabic and Chinese\n- Fewer false alarms for common names",
    product:
      "Screens **policyholders, drivers and payees** against the lists of the UN, EU, OFAC and others, whenever a policy is issued or changed and when a claim moves.",
    offering:
      "- 27 lists, renewed with each version\n- Explains each match\n- A report of each match for your regulator",
    technicalDetails:
      "Listens to policies and claims. The lists are part of the image. Names are compared in memory.",
    launchInstructions: "Choose your lists and a threshold, and enter where alerts are sent.",
    complianceDetails: "Certified to ISO 27001. Matches are sent to you, and nothing is stored in the app.",
    captions: ["Matches that wait for a decision", "Screenings and alerts, last month"],
    app: {
      fields: [
        { name: "alertEmail", title: "Alerts go to", type: "Text", required: true },
        { name: "threshold", title: "Match threshold in percent", type: "Text", hint: "85 is a good start." },
      ],
    },
    core: {
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.changed", "claim.*"] }],
      lifecycle: ["install", "uninstall", "start", "stop"],
      permissions: [
        { name: "customers:read", purpose: "Reads the names to screen" },
        { name: "claims:read", purpose: "Finds who is paid for a claim" },
      ],
      hosts: [{ host: "lists.fjord.example", purpose: "Downloads the lists every hour" }],
    },
  },
];

const NORTHWIND_APPS: readonly CatalogApp[] = [
  {
    appName: "document-archive",
    title: "Document archive",
    tagline: "Files every policy document in your archive, and proves that it is unchanged",
    category: "documents",
    version: "2.0.0",
    releaseNotes: "- Writes to any S3-compatible archive\n- Seals are verified when a policy changes",
    product:
      "Files **policies, endorsements and invoices** in your own archive as soon as they are issued, each with a seal that shows later changes.",
    offering: "- Retention by product and document\n- Full-text search\n- Exports for auditors",
    technicalDetails: "Writes to S3-compatible storage over TLS. Nothing is stored in the app.",
    launchInstructions: "Enter the address of your archive and a key that may only write.",
    complianceDetails: "Follows the retention periods of GDPR and GoBD. Seals follow RFC 3161.",
    captions: ["Documents of a policy, with their seals"],
    app: {
      fields: [
        { name: "archiveUrl", title: "Archive URL", type: "Text", required: true },
        { name: "writeKey", title: "Write key", type: "Password", required: true },
      ],
    },
    core: {
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.changed", "policy.cancelled"] }],
      lifecycle: ["install", "uninstall"],
      permissions: [{ name: "documents:read", purpose: "Reads the documents to file" }],
      hosts: [{ setting: "archiveUrl", purpose: "Writes the documents to your archive" }],
    },
  },
  {
    appName: "premium-invoicing",
    title: "Premium invoicing",
    tagline: "Installments, invoices and payment links for every premium",
    category: "billing",
    version: "1.5.0",
    releaseNotes: "- Payment links work with SEPA and cards\n- Installments follow endorsements",
    product:
      "Turns each issued policy into a **plan of installments** at your payment provider, which sends invoices with payment links, and reports what was paid.",
    offering: "- Monthly, quarterly or yearly\n- Cards, SEPA and checks\n- Reconciliation with your ledger",
    technicalDetails:
      "Listens to policies. The payment provider sends each invoice when it is due, and calls back a public endpoint.",
    launchInstructions: "Enter the key of your payment provider, then register the shown callback with it.",
    complianceDetails: "Card numbers never reach the app. The payment provider is certified to PCI DSS.",
    captions: ["A plan of installments, and what was paid", "Open and paid premiums of a year"],
    app: {
      fields: [
        { name: "paymentKey", title: "Payment provider key", type: "Password", required: true },
        {
          name: "currency",
          title: "Currency",
          type: "Select",
          required: true,
          values: [
            { text: "US dollar", value: "USD" },
            { text: "Euro", value: "EUR" },
          ],
        },
      ],
    },
    core: {
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.changed"] }],
      endpoints: [
        { path: "/paid", methods: ["POST"], access: "public", title: "Payments from your payment provider" },
      ],
      permissions: [
        { name: "invoices:write", purpose: "Creates an invoice for each installment" },
        { name: "payments:write", purpose: "Records what was paid" },
      ],
      hosts: [{ host: "api.payments.example", purpose: "Creates payment links" }],
    },
  },
  {
    appName: "fleet-rater",
    title: "Fleet rater",
    tagline: "Prices fleets of 5 to 5,000 vehicles by use, region and drivers",
    category: "rating",
    version: "1.1.0",
    releaseNotes: "- Electric vans have their own factor",
    product:
      "Prices **whole fleets** at once: by use, region, age of vehicles and the record of their drivers, with a line for each vehicle.",
    offering: "- Explains each price\n- Your own base rates\n- Tested on 40,000 quoted fleets",
    technicalDetails: "Answers within 300 ms for 500 vehicles. No storage.",
    launchInstructions: "Enter your base factor, choose a currency, and attach the rater in your core.",
    complianceDetails: "Uses no data on individual drivers except their record.",
    captions: ["The price of a fleet, explained for each vehicle"],
    app: {
      fields: [
        { name: "factor", title: "Base factor", type: "Text", hint: "Such as 1.10", required: true },
        {
          name: "currency",
          title: "Currency",
          type: "Select",
          required: true,
          values: [
            { text: "US dollar", value: "USD" },
            { text: "Swiss franc", value: "CHF" },
          ],
        },
      ],
    },
    core: { externalRaters: [{ name: "Fleet", path: "/rate" }], permissions: [], hosts: [] },
  },
];

/** Waits for a moderator, with its evidence. It lists neither hosts nor permissions, which the moderator is warned about. */
export const PHOTO_ESTIMATES: CatalogApp & { submissionNote: string } = {
  submissionNote:
    "Our first app on your platform. The estimate is filled in when an adjuster opens a claim; without photos, the field stays empty.",
  appName: "photo-estimates",
  title: "Photo estimates",
  tagline: "Estimates repair costs from photos of the damage",
  category: "claims",
  version: "0.9.0",
  releaseNotes: "The first release: cars and vans, with parts prices of 12 makers.",
  product:
    "Estimates the **cost of a repair** from photos that the policyholder sends, with the parts and hours that it consists of.",
  offering: "- Cars and vans\n- Parts prices of 12 makers\n- Says how sure it is",
  technicalDetails: "Listens to `claim.opened` and fills in the estimate when an adjuster opens the claim.",
  launchInstructions:
    "Enter your hourly rate and the key of your photo storage. Map where estimates are written.",
  complianceDetails: "License plates and faces are blurred before a photo is stored.",
  captions: ["An estimate, with its parts and hours"],
  app: {
    fields: [
      {
        name: "hourlyRate",
        title: "Hourly rate",
        type: "Text",
        hint: "Of the shops you work with",
        required: true,
      },
      { name: "storageKey", title: "Photo storage key", type: "Password", required: true },
    ],
  },
  core: {
    fields: [{ name: "estimate", title: "Estimate", hint: "Where to write the amount" }],
    webhooks: [{ path: "/events", events: ["claim.opened"] }],
    autofill: [{ path: "/autofill", operations: ["claim.*"] }],
    lifecycle: ["install", "uninstall"],
  },
};

interface CatalogPublisher {
  account: DemoOrganization;
  /** What its public page says. */
  description: string;
  /** What each of its listings says about the company. */
  company: string;
  apps: readonly CatalogApp[];
}

/** The publishers of the demo's marketplace, with the apps that are there besides `DEMO_APPS`. */
export const CATALOG: readonly CatalogPublisher[] = [
  {
    account: PUBLISHER,
    description: "Small, sharp tools for insurers. Each does one thing, and you see what it does.",
    company: "Acme Apps builds small, sharp tools for insurers.",
    apps: ACME_APPS,
  },
  {
    account: FJORD,
    description: "Risk data for underwriters: addresses, floods, losses and sanctions, from one team.",
    company: "Fjord Data has collected risk data for underwriters since 2009, from Bergen and Rotterdam.",
    apps: FJORD_APPS,
  },
  {
    account: NORTHWIND,
    description: "Claims, billing and fleets: the parts of insurance that customers notice.",
    company: "Northwind Labs is a team of former adjusters and engineers in Portland.",
    apps: NORTHWIND_APPS,
  },
];
