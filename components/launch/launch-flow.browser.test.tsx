import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleLaunchOffer } from "@/tests/sample-launch-offer";
import { LaunchFlow } from "./launch-flow";

const wizard = (app: string) => {
  const owner = { userId: "u", organizationId: "o", app, test: false };
  return <LaunchFlow offer={sampleLaunchOffer()} owner={owner} mayConnect maySandbox={false} />;
};
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const vin = () => page.getByRole("textbox", { name: /VIN/ });

test("the launch wizard, step by step, with problems, and restored from a draft", async () => {
  localStorage.clear();
  const { unmount } = await renderPage(wizard("acme/vin-autofill"), { path: "/launch/acme/vin-autofill" });
  await page.getByRole("radio", { name: /Production/ }).click({ force: true });
  await checkAppearance("launch, tenant");
  await press("Continue");
  await press("Continue");
  await expect.element(page.getByRole("button", { name: /Region/ })).toHaveFocus();
  await checkAppearance("launch, configure with problems");
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  const names = page.getByRole("switch", { name: /names/i });
  await names.click({ force: true });
  await checkAppearance("launch, configure with names");
  await names.click({ force: true });
  await press("Continue");

  await press(/^Pick/);
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await checkAppearance("launch, path picker");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await vin().fill("$.car[");
  await checkAppearance("launch, invalid path");
  await vin().fill("$.nowhere");
  await checkAppearance("launch, path outside the schema");

  await unmount();
  // The page keeps its drafts in memory too: another app finds a copy of this one in the browser's storage.
  await expect.poll(() => Object.values(localStorage).join("")).toContain("$.nowhere");
  for (const [key, draft] of Object.entries(localStorage))
    localStorage.setItem(key.replace("vin-autofill", "restored"), draft);
  await renderPage(wizard("acme/restored"), { path: location.pathname + location.search });
  await checkAppearance("launch, restored draft");
  await press(/^(Continue|Go on)$/);
  for (const [product, path] of [
    ["Motorcycle", "$.motorcycle.chassisNumber"],
    ["Private Motor", "$.car.chassisNumber"],
  ] as const) {
    await expect.element(page.getByRole("form", { name: new RegExp(product) })).toBeVisible();
    await vin().fill(path);
    await expect.element(page.getByText(/In the sample/)).toBeVisible();
    await press("Continue");
  }
  await expect.element(page.getByRole("button", { name: "Launch", exact: true })).toBeVisible();
  await checkAppearance("launch, review");
});
