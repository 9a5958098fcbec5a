import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RightsCard } from "./rights-card";

// Guarantee: a moderator is warned of an app that may send data anywhere, and of no other.
test.each([
  [null, true],
  [[], false],
  [[{ host: "api.vin.example", ports: [443], purpose: "Decodes VINs", optional: false }], false],
])("the hosts %j: %s", (hosts, isWarned) => {
  const html = renderToStaticMarkup(<RightsCard rights={{ permissions: [], hosts }} enforcement="guard" />);
  expect(html.includes("It can connect to any host on the internet")).toBe(isWarned);
});
