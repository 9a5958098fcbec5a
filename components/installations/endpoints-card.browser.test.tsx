import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleOffer } from "@/tests/samples/configuration";
import { EndpointsCard } from "./endpoints-card";
import { UpgradeForm } from "./launch/upgrade-form";

const BASE = "https://gateway.example/r/018f0000-0000-7000-8000-0000000000b0";
const endpoint = (path: string, changes: object = {}) => ({
  routeId: `018f0000-0000-7000-8000-0000000000${path.length}0`,
  path,
  methods: ["GET", "POST"],
  title: "Callbacks of the telematics provider",
  access: "public" as const,
  address: BASE + path,
  open: true,
  ...changes,
});
const endpoints = [
  endpoint("/callbacks/*"),
  endpoint("/settings", { title: "Settings page", methods: ["GET"], open: false }),
  endpoint("/report", { title: "Report", access: "core" }),
];
const installation = { id: "018f0000-0000-7000-8000-000000000001", state: "RUNNING" as const, endpoints };

// Guarantee: public endpoints are distinguished from the others, and only people who operate the app can change them.
test("endpoints, open, closed and with a credential", async () => {
  const { unmount } = await renderPage(<EndpointsCard installation={installation} operable />);
  expect(page.getByRole("switch").elements()).toHaveLength(2);
  await checkAppearance("endpoints");
  await page.getByRole("button", { name: "Replace URL" }).click();
  await expect
    .element(page.getByRole("alertdialog"))
    .toHaveTextContent("The current URLs stop working immediately.");
  await checkAppearance("endpoints, replace");
  await unmount();
  await renderPage(<EndpointsCard installation={installation} operable={false} />);
  expect(page.getByRole("switch").elements()).toHaveLength(0);
  expect(page.getByRole("button", { name: "Replace URL" }).elements()).toHaveLength(0);
});

// Guarantee: an upgrade names the endpoints that it would make public, and opens none unless that is checked.
test("an upgrade with new public endpoints", async () => {
  const publicEndpoints = [{ path: "/callbacks/*", methods: ["POST" as const], title: "Callbacks" }];
  await renderPage(
    <UpgradeForm offer={sampleOffer({ publicEndpoints, asks: [], offers: [] })} isRunning why={undefined} />,
  );
  await expect.element(page.getByText("POST /callbacks/*")).toBeVisible();
  await expect.element(page.getByRole("checkbox", { name: /^Open this endpoint/ })).not.toBeChecked();
  await checkAppearance("upgrade, new public endpoints");
});
