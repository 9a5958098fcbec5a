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
