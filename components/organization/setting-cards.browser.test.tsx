import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { RecordBodiesCard, RequireSecondFactorCard } from "./setting-cards";

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
