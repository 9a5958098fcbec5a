import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { NewOrganizationForm } from "./new-organization-form";
import { ProfileCard, RecordBodiesCard, RequireSecondFactorCard } from "./setting-cards";
import { SwitchCard } from "./switch-card";

const profile = { name: "Harbor Mutual", description: "", website: "", supportAddress: "" };

test("an owner saves the profile, and mistakes are shown at their fields", async () => {
  await renderPage(<ProfileCard profile={profile} mayChange />, {
    answers: { "PUT /api/organization/profile": new Response(null, { status: 204 }) },
  });
  await page.getByRole("textbox", { name: "Website" }).fill("http://harbor.example");
  await page.getByRole("textbox", { name: "Support address" }).fill("support");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect.element(page.getByText("Enter a URL that starts with https://.")).toBeVisible();
  await checkAppearance("organization profile, mistakes");
  await page.getByRole("textbox", { name: "Website" }).fill("https://harbor.example");
  await page.getByRole("textbox", { name: "Support address" }).fill("support@harbor.example");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect.element(page.getByText("Saved")).toBeVisible();
  const [, init] = vi.mocked(fetch).mock.calls.at(-1) ?? [];
  expect(JSON.parse(String(init?.body))).toEqual({
    ...profile,
    website: "https://harbor.example",
    supportAddress: "support@harbor.example",
  });
});

test("a member who isn't an owner can only read the profile", async () => {
  await renderPage(<ProfileCard profile={profile} mayChange={false} />);
  await expect.element(page.getByText("Only owners of your organization can change this.")).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});

test("a page of another organization offers to switch", async () => {
  await renderPage(<SwitchCard organization={{ id: "o", name: "Harbor Mutual" }} next="/tenants" />);
  await expect.element(page.getByRole("button", { name: "Switch to Harbor Mutual" })).toBeVisible();
  await checkAppearance("switch organization");
});

test("the slug of a new organization follows its name", async () => {
  await renderPage(<NewOrganizationForm />);
  await page.getByRole("textbox", { name: "Company name" }).fill("Harbor Mutual");
  await expect.element(page.getByRole("textbox", { name: "Organization slug" })).toHaveValue("harbor-mutual");
  await checkAppearance("new organization");
});

const url = "PUT /api/organization/settings";

test("an owner turns recording on", async () => {
  await renderPage(<RecordBodiesCard value={false} mayChange />, {
    answers: { [url]: new Response(null, { status: 204 }) },
  });
  const recording = page.getByRole("switch", { name: "Record payloads and responses" });
  await expect.element(recording).not.toBeChecked();
  await checkAppearance("settings, recording off");
  await page.getByText("Record payloads and responses").click();
  await expect.element(recording).toBeChecked();
});

test("a change that fails is undone and explained", async () => {
  await renderPage(<RecordBodiesCard value mayChange />, { answers: {} });
  await page.getByText("Record payloads and responses").click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByRole("switch")).toBeChecked();
});

test("other members see the setting and who can change it", async () => {
  await renderPage(<RecordBodiesCard value mayChange={false} />);
  await expect.element(page.getByRole("switch")).toBeDisabled();
  await checkAppearance("settings, seen by an operator");
});

test("an owner requires two-factor sign-in, unless the platform says why not", async () => {
  const refusal = { code: "WRONG_STATE", detail: "Turn on two-factor sign-in for your own account first." };
  await renderPage(<RequireSecondFactorCard value={false} mayChange />, {
    answers: { "PUT /api/organization/second-factor": Response.json(refusal, { status: 409 }) },
  });
  await page.getByText("Require two-factor sign-in").click();
  await expect.element(page.getByText(refusal.detail)).toBeVisible();
  await expect.element(page.getByRole("switch")).not.toBeChecked();
  await checkAppearance("settings, two-factor sign-in refused");
});
