import type { CatalogApp } from "./catalog-app";

export const ACME_APPS: readonly CatalogApp[] = [
  {
    appName: "renewal-reminders",
    title: "Renewal reminders",
    tagline: "Reminds policyholders before their policy lapses, in your own words",
    category: "communication",
    version: "2.1.0",
    releaseNotes: "- Reminders stop as soon as a policy is renewed\n- A second reminder is optional",
    product:
      "Sends **friendly reminders** by email or text message before a policy renews, and stops when it did. Your words, your sender, your schedule.",
    offering:
      "- Up to three reminders for each renewal\n- Templates in eleven languages\n- Opt-outs are kept with the policy",
    technicalDetails:
      "Listens to `policy.renewed` and `policy.cancelled`. Stores the date of the next reminder.",
    launchInstructions: "Enter your sender's name, and choose how many days before the renewal to remind.",
    complianceDetails:
      "Contact data stays in your core. Each message is sent through the provider you choose.",
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
      webhooks: [{ path: "/events", events: ["policy.renewed", "policy.cancelled"] }],
      lifecycle: ["install", "uninstall"],
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
      "- Learns from your own assignments\n- Urgent claims are marked within seconds\n- Twelve lines of business",
    technicalDetails: "Listens to `claim.opened`. Loss codes are part of the image.",
    launchInstructions: "Enter the address of your claims desk. Assignments can be changed later.",
    complianceDetails: "Descriptions of losses are read in memory and not stored.",
    captions: ["Claims of the morning, sorted by urgency"],
    app: { fields: [{ name: "deskEmail", title: "Claims desk", type: "Text", required: true }] },
    core: { webhooks: [{ path: "/events", events: ["claim.opened"] }] },
  },
];
