import { expect, test } from "vitest";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { describeApp, describeSoftware, summarizeConnections, toScriptText } from "./describe-app";

const name = { name: "acme/vin", version: "1.0.0" };

test("an app is described without words of its manifest", () => {
  const manifest: Manifest = {
    ...name,
    app: {
      fields: [
        { name: "region", title: "Region", type: "Text" },
        { name: "key", title: "Provider key", type: "Password" },
      ],
    },
    core: {
      fields: [{ name: "vin", title: "VIN field" }],
      webhooks: [{ path: "/e", events: ["policy.issued", "policy.issued", "claim.*"] }],
      autofill: [{ path: "/a", operations: ["newBusiness.*"] }],
      externalRaters: [{ name: "Telematics", path: "/r" }],
    },
  };
  expect(describeApp(manifest)).toEqual({
    connects: [
      "Is notified of policy issued, claim",
      "Fills in form fields during new business",
      "Prices policies as Telematics",
    ],
    asks: ["Settings: Region", "Secrets, which are stored encrypted: Provider key"],
    reads: ["These fields, which you map for each product: VIN field"],
  });
});

test("an app that does nothing is described by nothing, and long lists are cut", () => {
  expect(describeApp(name)).toEqual({ connects: [], asks: [], reads: [] });
  const events = Array.from({ length: 40 }, (_, index) => `e.n${index}`);
  const { connects } = describeApp({
    ...name,
    core: { webhooks: [{ path: "/e", events: ["*", ...events] }] },
  });
  expect(connects).toEqual(["Is notified of everything, e n0, e n1, e n2, e n3, e n4, and 35 more"]);
});

const text = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
const listing = {
  ...{ organizationSlug: "acme", organizationName: "Acme", appName: "vin", title: "VIN", tagline: "" },
  ...{ category: "data" as const, about: { product: "*Looks up* a VIN.", company: "", offering: "" } },
  ...{ requirements: text, links: { support: "", privacy: "", website: "" }, icon: null, screenshots: [] },
};

test("an app is described with absolute addresses", () => {
  expect(describeSoftware(listing, undefined, "https://apps.example")).toMatchObject({
    "@type": "SoftwareApplication",
    description: "Looks up a VIN.",
    url: "https://apps.example/marketplace/acme/vin",
    publisher: { name: "Acme", url: "https://apps.example/publishers/acme" },
  });
});

// Guarantee: no publisher's text leaves the script element.
test.each(["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028&amp;"])(
  "%j stays text",
  (title) => {
    const script = toScriptText(describeSoftware({ ...listing, title }, undefined, "https://apps.example"));
    expect(script).not.toMatch(/[<>&\u2028]/);
    expect(JSON.parse(script)).toMatchObject({ name: title });
  },
);

test.each([
  [[], null, ["Can connect to any host on the internet"]],
  [["webhooks", "raters"], [], ["Reacts to events, prices policies", "Connects only to your core"]],
  [["autofill"], ["a.example"], ["Fills in forms", "Connects to a.example"]],
  [["autofill"], ["a.example", "b.example"], ["Fills in forms", "Connects to a.example and 1 other host"]],
  [
    ["autofill"],
    ["a.example", "b.example", undefined],
    ["Fills in forms", "Connects to a.example and 2 other hosts"],
  ],
  [["endpoints"], [undefined], ["Offers endpoints", "Connects to a host that you enter"]],
] as const)("a card of %j and %j says %j", (connections, hosts, lines) => {
  const declared = hosts?.map((host) =>
    host === undefined ? { setting: "url", purpose: "Data" } : { host, purpose: "Data" },
  );
  expect(summarizeConnections({ connections, hosts: declared ?? null })).toEqual(lines);
});
