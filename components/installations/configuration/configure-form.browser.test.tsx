import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { noteStoredPaths } from "@/lib/domain/catalog/mapping/check-path";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleConfiguration } from "@/tests/samples/configuration";
import { ConfigureInstallation } from "./configure-installation";

const before = sampleConfiguration();
const url = `/api/installations/${before.installationId}/configuration`;
const choose = (name: string) => page.getByRole("radio", { name }).first().click({ force: true });
const save = () => page.getByRole("button", { name: "Save", exact: true }).click();

test("the configuration, a secret that is cleared or replaced, problems, and a conflicting save", async () => {
  const theirs = sampleConfiguration({
    revision: before.revision + 1,
    savedBy: "Noah",
    settings: before.settings.map((setting) =>
      setting.name === "greeting" ? { name: "greeting", sensitive: false, value: "Theirs" } : setting,
    ),
  });
  const stale = { code: "STALE_REVISION", detail: "The configuration was saved in the meantime." };
  await renderPage(<ConfigureInstallation initial={before} notes={noteStoredPaths(before)} />, {
    answers: { [`PUT ${url}`]: Response.json(stale, { status: 409 }), [`GET ${url}`]: theirs },
  });
  await checkAppearance("configure");
  await choose("Clear");
  await checkAppearance("configure, clear a secret");
  await choose("Replace");
  await checkAppearance("configure, replace a secret");
  await save();
  await checkAppearance("configure, problems");
  await choose("Keep");
  await page.getByRole("textbox", { name: /Greeting/ }).fill("Mine");
  await save();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await expect.element(page.getByRole("dialog")).toHaveTextContent(/Theirs/);
  await checkAppearance("configure, conflict");
});

test("a stored value with line breaks is not a change, and is saved as it is edited", async () => {
  const greeting = "Hello,\r\n\tthere\u00A0\r\n";
  const stored = sampleConfiguration({
    settings: before.settings.map((setting) =>
      setting.name === "greeting" ? { name: "greeting", sensitive: false, value: greeting } : setting,
    ),
  });
  await renderPage(<ConfigureInstallation initial={stored} notes={noteStoredPaths(stored)} />, {
    answers: { [`PUT ${url}`]: { revision: stored.revision + 1 } },
  });
  await expect.element(page.getByText("No changes.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await page.getByRole("textbox", { name: /Greeting/ }).click();
  await userEvent.keyboard("{Control>}{End}{/Control}Bye");
  await checkAppearance("configure, several lines");
  await save();
  const [, sent] = vi.mocked(fetch).mock.lastCall ?? [];
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    settings: { greeting: { action: "set", value: `${greeting}Bye` } },
  });
});

// Guarantee: a typing error in a mapping is asked about before it is saved, and going back keeps it in the form.
test("a mapping to a field that the product lacks is confirmed", async () => {
  const message = "Auto has no field $.vim. The product's schema has no 'vim'.";
  const issue = { code: "mapping-not-in-schema", pointer: "/mappings/Auto/distance", message };
  const refused = { code: "BAD_INPUT", detail: "The configuration is incomplete.", issues: [issue] };
  await renderPage(<ConfigureInstallation initial={before} notes={noteStoredPaths(before)} />, {
    answers: { [`PUT ${url}`]: Response.json(refused, { status: 400 }) },
  });
  await page.getByRole("textbox", { name: /Greeting/ }).fill("Mine");
  await save();
  const dialog = page.getByRole("alertdialog", { name: "The product has no such field" });
  await expect.element(dialog).toHaveTextContent(message);
  await checkAppearance("configure, a field that the product lacks");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(page.getByText(message).first()).toBeVisible();
  await save();
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  await expect
    .poll(() => JSON.parse(String(vi.mocked(fetch).mock.lastCall?.[1]?.body)))
    .toMatchObject({ allowMissingFields: true, settings: { greeting: { action: "set", value: "Mine" } } });
});
