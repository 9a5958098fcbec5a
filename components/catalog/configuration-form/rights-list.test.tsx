import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RightsList } from "./rights-list";

const listed = [{ host: "api.vin.example", ports: [443], purpose: "Decodes VINs", optional: false }];

// Guarantee: what is said of other hosts never contradicts the list above it.
test.each([
  [listed, "guard", "The platform blocks connections to all other hosts."],
  [listed, "open", "This platform doesn't block other hosts."],
  [listed, "none", "Nothing enforces this list"],
  [[], "guard", "The platform blocks connections to all other hosts."],
  [null, "guard", "The platform blocks private networks, and all ports except 80 and 443."],
  [null, "open", "This platform doesn't limit where the app connects to."],
  [null, "none", "nothing limits where they connect to"],
] as const)("the hosts %j, with %s: %s", (hosts, enforcement, said) => {
  const rights = { permissions: [], hosts: hosts === null ? null : [...hosts] };
  const html = renderToStaticMarkup(<RightsList rights={rights} enforcement={enforcement} />);
  expect(html).toContain(said.replaceAll("'", "&#x27;"));
  expect(html.includes("other hosts")).toBe(hosts !== null && enforcement !== "none");
});

// Guarantee: an app that doesn't list its permissions is never shown as one that asks for none.
test.each([
  [null, "Use whatever your core allows apps that list no permissions"],
  [[], "It asks for no permissions in your core."],
])("the permissions %j: %s", (permissions, said) => {
  const html = renderToStaticMarkup(<RightsList rights={{ permissions, hosts: [] }} />);
  expect(html).toContain(said);
  expect(html.includes("asks for no permissions")).toBe(permissions !== null);
});
