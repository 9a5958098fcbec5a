import { expect, test } from "vitest";
import { describeSoftware, toScriptText } from "./structured-data";

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
