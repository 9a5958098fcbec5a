import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleLaunchOffer } from "@/tests/samples/configuration";
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
  await checkAppearance("launch, tenant");
  await press("Continue");
  const region = page.getByRole("button", { name: /Region/ });
  // The code of this step is loaded when it is shown.
  await expect.element(region).toBeVisible();
  await press("Continue");
  await expect.element(region).toHaveFocus();
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

/** Answers every step with the least, up to the review. */
async function answerAll(app: string) {
  localStorage.clear();
  const rendered = await renderPage(wizard(app), { path: `/launch/${app}` });
  await press("Continue");
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  await page.getByRole("textbox", { name: /Key of your VIN provider/ }).fill("typed-secret");
  await press("Continue");
  for (const path of ["$.motorcycle.chassisNumber", "$.car.chassisNumber"]) {
    await vin().fill(path);
    await expect.element(page.getByText(/In the sample/)).toBeVisible();
    await press("Continue");
  }
  await expect.element(page.getByRole("button", { name: "Launch", exact: true })).toBeVisible();
  return rendered;
}

// Guarantee: nobody fills in the form for a tenant that cannot get the app again.
test("a tenant that has the app is not selectable, and leads to its installation", async () => {
  localStorage.clear();
  await renderPage(wizard("acme/installed"), { path: "/launch/acme/installed" });
  expect(page.getByRole("radio").elements()).toHaveLength(1);
  await expect
    .element(page.getByRole("link", { name: "Open for Staging" }))
    .toHaveAttribute("href", "/installations/6f1b2c34-0000-4000-8000-000000000001");
});

// Guarantee: a change on the review opens the answer that it names, and leads back to the review.
test("Change opens its field, and the step leads back to the review", async () => {
  await answerAll("acme/change");
  for (const [name, step, field] of [
    ["Change Tenant", "tenant", page.getByRole("radio", { name: /Production/ })],
    ["Change Region", "configure", page.getByRole("button", { name: /Region/ })],
    ["Change VIN field", "map-1", vin()],
  ] as const) {
    await page.getByRole("button", { name }).first().click();
    await expect.element(field.first()).toHaveFocus();
    expect(location.search).toBe(`?step=${step}`);
    await press("Back to review");
    await expect.poll(() => location.search).toBe("?step=review");
  }
});

// Guarantee: a secret that was entered and lost is never taken for one that was skipped.
test("after a reload, a lost secret must be entered again or skipped on purpose", async () => {
  const { unmount } = await answerAll("acme/lost");
  await unmount();
  await expect.poll(() => Object.values(localStorage).join("")).toContain("$.car.chassisNumber");
  expect(Object.values(localStorage).join("")).not.toContain("typed-secret");
  for (const [key, draft] of Object.entries(localStorage))
    localStorage.setItem(key.replace("acme/lost", "acme/found"), draft);
  await renderPage(wizard("acme/found"), { path: location.pathname + location.search });
  await expect.element(page.getByRole("form", { name: "Configure" })).toBeVisible();
  await expect
    .element(page.getByText("Enter Key of your VIN provider again.", { exact: false }).first())
    .toBeVisible();
  expect(page.getByText(/skipped/i).elements()).toEqual([]);
  const next = page.getByRole("form").getByRole("button", { name: "Continue" });
  await next.click();
  expect(location.search).toBe("?step=configure");
  await checkAppearance("launch, lost secret");
  await page.getByRole("radio", { name: "Skip" }).click({ force: true });
  await next.click();
  await expect.poll(() => location.search).toBe("?step=map-1");
});

// Guarantee: 300 tenants are a search and a short list; choosing and searching keep each other.
test("a launch among many tenants", async () => {
  localStorage.clear();
  const [free] = sampleLaunchOffer().tenants;
  if (free === undefined) throw new Error("the sample has no tenant");
  const counts = { free: 295, found: 295, installed: 5, foundInstalled: 5 };
  const named = (numbers: number[]) =>
    numbers.map((at) => ({ ...free, id: `${free.id.slice(0, -2)}${at + 10}`, name: `Branch ${at}` }));
  const flow = (typed: string, tenants: ReturnType<typeof named>, found: Partial<typeof counts> = {}) => {
    const offer = { ...sampleLaunchOffer(), tenants, tenantSearch: { ...counts, ...found, typed } };
    const owner = { userId: "u", organizationId: "o", app: "acme/many", test: false };
    return <LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />;
  };
  const { rerender } = await renderPage(flow("", named([1, 2, 3, 4, 5, 6, 7])), {
    path: "/launch/acme/many",
  });
  await expect.element(page.getByText(/^7 of 295 tenants/)).toBeVisible();
  await expect.element(page.getByText(/5 tenants have this app already/)).toBeVisible();
  await checkAppearance("launch, many tenants");
  await page.getByRole("radio", { name: /Branch 3/ }).click({ force: true });
  expect(new URLSearchParams(location.search).get("tenant")).toBe(named([3])[0]?.id);
  const field = page.getByRole("searchbox", { name: "Find a tenant" });
  await field.fill("nowhere");
  await expect.poll(() => new URLSearchParams(location.search).get("tenants")).toBe("nowhere");
  expect(new URLSearchParams(location.search).get("tenant")).toBe(named([3])[0]?.id);
  await rerender(flow("nowhere", named([3]), { found: 0, foundInstalled: 0 }));
  await expect.element(page.getByRole("radio", { name: /Branch 3/ })).toBeChecked();
  await expect.element(page.getByText(/No tenant without this app matches/)).toBeVisible();
  await checkAppearance("launch, no tenant found");
  await field.click();
  await userEvent.keyboard("{Enter}");
  await press("Continue");
  await expect.element(page.getByRole("button", { name: /Region/ })).toBeVisible();
});

// Guarantee: a trial asks for the settings alone, and is sent without a tenant.
test("a trial has two steps", async () => {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app: "acme/tried", test: false, trial: true };
  const [product] = sampleLaunchOffer().tenants[0]?.products ?? [];
  const tenant = { id: "trial", name: "Made-up insurer", hostName: "trial.sandbox", sandbox: true };
  const offer = {
    ...sampleLaunchOffer(),
    mappingFields: [],
    tenants: [{ ...tenant, products: product === undefined ? [] : [product] }],
    isolated: false,
  };
  await renderPage(<LaunchFlow offer={offer} owner={owner} mayConnect={false} maySandbox={false} />, {
    path: "/launch/acme/tried?trial=1",
  });
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  await page.getByRole("textbox", { name: /Key of your VIN provider/ }).fill("typed-secret");
  await press("Continue");
  await expect.element(page.getByText("Made-up insurer (trial.sandbox)")).toBeVisible();
  await expect.element(page.getByText("Not isolated")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Start trial" })).toBeVisible();
  await checkAppearance("launch, trial review");
});

// Guarantee: what a trial had is kept without asking again; its secrets are not shown.
test("a launch starts with the settings of a trial", async () => {
  localStorage.clear();
  const offer = {
    ...sampleLaunchOffer(),
    carried: {
      installationId: "6f1b2c34-0000-4000-8000-000000000001",
      settings: sampleLaunchOffer().settings.map(({ name, type, values }) =>
        type === "Password"
          ? {
              name,
              sensitive: true as const,
              configured: true,
              updatedAt: "2026-11-28T10:00:00.000Z",
              by: "Maya",
            }
          : { name, sensitive: false as const, value: values?.[0]?.value ?? "carried" },
      ),
    },
  };
  const owner = { userId: "u", organizationId: "o", app: "acme/carried", test: false };
  await renderPage(<LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />, {
    path: "/launch/acme/carried?from=6f1b2c34",
  });
  await press("Continue");
  await expect.element(page.getByRole("radio", { name: "Keep" }).first()).toBeChecked();
  await checkAppearance("launch, settings of a trial");
});
