import type { CatalogApp } from "./catalog-app";

export const NORTHWIND_APPS: readonly CatalogApp[] = [
  {
    appName: "document-archive",
    title: "Document archive",
    tagline: "Files every policy document in your archive, and proves that it is unchanged",
    category: "documents",
    version: "2.0.0",
    releaseNotes: "- Writes to any S3-compatible archive\n- Seals are verified every week",
    product:
      "Files **policies, endorsements and invoices** in your own archive as soon as they are issued, each with a seal that shows later changes.",
    offering: "- Retention by product and document\n- Full-text search\n- Exports for auditors",
    technicalDetails: "Writes to S3-compatible storage over TLS. Keeps nothing itself.",
    launchInstructions: "Enter the address of your archive and a key that may only write.",
    complianceDetails: "Keeps to the retention periods of GDPR and GoBD. Seals follow RFC 3161.",
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
    },
  },
  {
    appName: "premium-invoicing",
    title: "Premium invoicing",
    tagline: "Installments, reminders and payment links for every premium",
    category: "billing",
    version: "1.5.0",
    releaseNotes: "- Payment links work with SEPA and cards\n- Installments follow endorsements",
    product:
      "Turns each issued policy into a **plan of installments**, sends invoices with payment links, and reports what was paid.",
    offering: "- Monthly, quarterly or yearly\n- Cards, SEPA and checks\n- Reconciliation with your ledger",
    technicalDetails: "Listens to policies. The payment provider calls back a public endpoint.",
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
    },
  },
  {
    appName: "fleet-rater",
    title: "Fleet rater",
    tagline: "Prices fleets of 5 to 5,000 vehicles by use, region and drivers",
    category: "rating",
    version: "1.1.0",
    releaseNotes: "- Electric vans have a factor of their own",
    product:
      "Prices **whole fleets** at once: by use, region, age of vehicles and the record of their drivers, with a line for each vehicle.",
    offering: "- Explains each price\n- Your own base rates\n- Tested on 40,000 quoted fleets",
    technicalDetails: "Answers within 300 ms for 500 vehicles. No storage.",
    launchInstructions: "Enter your base factor, choose a currency, and attach the rater in your core.",
    complianceDetails: "Uses no data on individual drivers but their record.",
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
    core: { externalRaters: [{ name: "Fleet", path: "/rate" }] },
  },
];

/** Waits for a moderator, with its evidence. */
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
