import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ShellSearch } from "./shell-search";

const found = {
  groups: [
    {
      title: "Installations",
      entries: [{ href: "/installations/7", text: "VIN autofill", detail: "Harbor production" }],
    },
    {
      title: "Apps",
      entries: [{ href: "/marketplace/acme/vin-autofill", text: "VIN autofill", detail: "Acme Apps" }],
    },
  ],
};

const open = (answers: Record<string, unknown> = {}) =>
  renderPage(<ShellSearch allowed={["/home", "/installations", "/tenants", "/docs"]} />, {
    answers: { "GET /api/search?q=vin": found, ...answers },
  });
const press = (keys: string) => userEvent.keyboard(keys);

// Guarantee: everything works without a pointer, and each entry says what it is.
test("the palette is opened, searched and left by keyboard", async () => {
  await open();
  await press("{Control>}k{/Control}");
  const search = page.getByRole("searchbox", { name: /Search pages/ });
  await expect.element(search).toHaveFocus();
  await expect.element(page.getByRole("menuitem", { name: "Tenants" })).toBeVisible();
  await checkAppearance("palette, nothing typed");
  await press("vin");
  await expect.element(page.getByRole("menuitem", { name: /VIN autofill/ }).first()).toBeVisible();
  await checkAppearance("palette, found");
  // One request for what was typed, not one for each key.
  const asked = vi.mocked(fetch).mock.calls.filter(([url]) => String(url).includes("/api/search"));
  expect(asked).toHaveLength(1);
  await press("{Escape}{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("nothing found is said", async () => {
  await open({ "GET /api/search?q=zzz": { groups: [] } });
  await page.getByRole("button", { name: "Search" }).click();
  await press("zzz");
  await expect.element(page.getByText(/Nothing found\. Check the spelling/)).toBeVisible();
  await checkAppearance("palette, nothing found");
});

test("? lists the shortcuts, unless somebody types or has turned it off", async () => {
  localStorage.clear();
  await open();
  await press("?");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await checkAppearance("keyboard shortcuts");
});
