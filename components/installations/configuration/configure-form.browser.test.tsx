import { expect, test } from "vitest";
import { page } from "vitest/browser";
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
