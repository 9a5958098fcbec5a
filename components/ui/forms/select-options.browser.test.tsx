import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { FilterSelect } from "@/components/platform/filters";
import { checkAppearance, renderPage } from "@/tests/browser/render";

const TENANTS = ["Zürich", "Bern", "E-Mail test", "Oslo", "Rome", "Paris", "Lisbon"].map((name) => ({
  value: name,
  text: name,
  detail: `${name.toLowerCase()}.core.example`,
}));

function Filter({ options = TENANTS, search }: Partial<Parameters<typeof FilterSelect>[0]>) {
  const [value, setValue] = useState<string>();
  return (
    <>
      <FilterSelect
        label="Tenant"
        all="All tenants"
        options={options}
        search={search}
        value={value}
        onChange={setValue}
      />
      <output>{value ?? "none"}</output>
    </>
  );
}

const search = () => page.getByRole("searchbox", { name: "Search tenant" });
const texts = () =>
  page
    .getByRole("option")
    .elements()
    .map((option) => option.textContent);

// Guarantee: nobody has to read a long menu; a short one has nothing to type.
test("a menu of eight has a search that has the focus, and one of seven has none", async () => {
  const { unmount } = await renderPage(<Filter options={TENANTS.slice(1)} />);
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.element(page.getByRole("option").first()).toBeVisible();
  expect(search().elements()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await unmount();
  await renderPage(<Filter />);
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.element(search()).toHaveFocus();
  await checkAppearance("a menu with a search");
});

test("typing finds names whatever their accents and hyphens, and the keyboard alone chooses", async () => {
  await renderPage(<Filter />);
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.element(search()).toHaveFocus();
  await userEvent.keyboard("zurich");
  await expect.poll(texts).toEqual(["Zürichzürich.core.example"]);
  await userEvent.keyboard("{Control>}a{/Control}email");
  await expect.poll(texts).toEqual(["E-Mail teste-mail test.core.example"]);
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(page.getByRole("status")).toHaveTextContent("E-Mail test");
  await expect.element(page.getByRole("button", { name: /Tenant/ })).toHaveFocus();
  await page.getByRole("button", { name: /Tenant/ }).click();
  await userEvent.keyboard("nowhere");
  await expect.element(page.getByText("No matches")).toBeVisible();
});

test("what is too much for a page is found on the server, and the menu says that there is more", async () => {
  const found = (names: string[], more: boolean) => ({
    options: names.map((name) => ({ value: name, text: name })),
    more,
  });
  await renderPage(<Filter options={[]} search="/api/tenants/found?app=a" />, {
    answers: {
      "GET /api/tenants/found?app=a": found(["Tenant 1", "Tenant 2"], true),
      "GET /api/tenants/found?app=a&q=299": found(["Tenant 299"], false),
    },
  });
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.element(page.getByText(/There are more/)).toBeVisible();
  expect(texts()).toEqual(["All tenants", "Tenant 1", "Tenant 2"]);
  await checkAppearance("a menu that the server searches");
  await userEvent.keyboard("299");
  await page.getByRole("option", { name: "Tenant 299" }).click();
  await expect.element(page.getByRole("status")).toHaveTextContent("Tenant 299");
  await expect.element(page.getByRole("button", { name: /Tenant 299/ })).toBeVisible();
  await page.getByRole("button", { name: /Tenant 299/ }).click();
  await userEvent.keyboard("away");
  await expect.element(page.getByText("Not found.")).toBeVisible();
});

// Guarantee: Enter chooses what was typed, and not what was found before.
test("Enter waits for what the server finds", async () => {
  const found = (...names: string[]) => ({
    options: names.map((name) => ({ value: name, text: name })),
    more: false,
  });
  await renderPage(<Filter options={[]} search="/api/tenants/found?app=a" />, {
    answers: {
      "GET /api/tenants/found?app=a": found("Tenant 1", "Tenant 2"),
      "GET /api/tenants/found?app=a&q=2": found("Tenant 2"),
      "GET /api/tenants/found?app=a&q=29": found("Tenant 29"),
    },
  });
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.element(page.getByRole("option", { name: "Tenant 1" })).toBeVisible();
  await userEvent.keyboard("29{Enter}");
  await expect.element(page.getByRole("status")).toHaveTextContent("Tenant 29");
});

// Guarantee: a menu survives whoever types slowly, and results that take each other's place.
test("what is found for each letter replaces what was found before", async () => {
  const found = (...names: string[]) => ({
    options: names.map((name) => ({ value: name, text: name })),
    more: false,
  });
  await renderPage(<Filter options={[]} search="/api/tenants/found?app=a" />, {
    answers: {
      "GET /api/tenants/found?app=a": found("Tenant 1", "Tenant 2"),
      "GET /api/tenants/found?app=a&q=2": found("Tenant 2", "Tenant 29"),
      "GET /api/tenants/found?app=a&q=29": found("Tenant 29", "Tenant 2"),
      "GET /api/tenants/found?app=a&q=299": found("Tenant 299"),
    },
  });
  await page.getByRole("button", { name: "Tenant" }).click();
  await expect.poll(texts).toEqual(["All tenants", "Tenant 1", "Tenant 2"]);
  for (const [letter, expected] of [
    ["2", ["Tenant 2", "Tenant 29"]],
    ["9", ["Tenant 29", "Tenant 2"]],
    ["9", ["Tenant 299"]],
  ] as const) {
    await userEvent.keyboard(letter);
    await expect.poll(texts).toEqual(expected);
  }
});
