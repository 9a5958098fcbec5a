import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPage } from "@/tests/browser/render";
import { LaunchButton } from "./launch-button";

const LISTING = {
  name: "acme/vin",
  state: "PUBLIC",
  mayLaunch: true,
  own: false,
  newest: {},
  verified: {},
} as const;

const links = async (props: Partial<Parameters<typeof LaunchButton>[0]>) => {
  const { unmount } = await renderPage(<LaunchButton {...LISTING} {...props} />);
  const found = page
    .getByRole("link")
    .elements()
    .map((link) => `${link.textContent} ${link.getAttribute("href")}`);
  await unmount();
  return found;
};

// Guarantee: an installed app is opened, not launched again.
test("an installed app is opened, and launched for other tenants only", async () => {
  expect(await links({})).toEqual(["Launch /launch/acme/vin"]);
  const installed = [{ id: "i1" }];
  expect(await links({ installed })).toEqual(["Open /installations/i1"]);
  expect(await links({ installed, hasOtherTenant: true })).toEqual([
    "Launch for another tenant /launch/acme/vin",
    "Open /installations/i1",
  ]);
  expect(await links({ installed: [...installed, { id: "i2" }] })).toEqual([
    "Open 2 installations /installations?q=vin",
  ]);
  // A suspended app keeps its installations.
  expect(await links({ installed, state: "SUSPENDED", mayLaunch: false })).toEqual([
    "Open /installations/i1",
  ]);
  // So does an app that is shown by link, for those who don't have the link; others keep it until the launch.
  expect(await links({ installed, mayLaunch: false, hasOtherTenant: true })).toEqual([
    "Open /installations/i1",
  ]);
  expect(await links({ link: "a-b" })).toEqual(["Launch /launch/acme/vin?link=a-b"]);
});
