import type { CatalogApp } from "./catalog-app";

export const FJORD_APPS: readonly CatalogApp[] = [
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
    complianceDetails: "Addresses are looked up inside the container and leave it nowhere.",
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
    complianceDetails: "Sends addresses without names. The register keeps no requests.",
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
      "Requests are limited to applicants who consented. Results are stored in your core alone.",
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
    },
  },
  {
    appName: "sanctions-screening",
    title: "Sanctions screening",
    tagline: "Screens policyholders and payees against sanctions lists, every day",
    category: "compliance",
    version: "4.2.0",
    releaseNotes: "- Names in Cyrillic, Arabic and Chinese\n- Fewer false alarms for common names",
    product:
      "Screens **policyholders, drivers and payees** against the lists of the UN, EU, OFAC and others, at issue and every night.",
    offering: "- 27 lists, updated hourly\n- Explains each match\n- An audit file for your regulator",
    technicalDetails:
      "Listens to policies and claims. Keeps names as salted hashes for the nightly screening.",
    launchInstructions: "Choose your lists and a threshold, and enter where alerts are sent.",
    complianceDetails: "Certified to ISO 27001. Matches are kept for the time that your regulator asks for.",
    captions: ["Matches that wait for a decision", "Screenings and alerts of a month"],
    app: {
      fields: [
        { name: "alertEmail", title: "Alerts go to", type: "Text", required: true },
        { name: "threshold", title: "Match threshold in percent", type: "Text", hint: "85 is a good start." },
      ],
    },
    core: {
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.changed", "claim.*"] }],
      lifecycle: ["install", "uninstall", "start", "stop"],
    },
  },
];
