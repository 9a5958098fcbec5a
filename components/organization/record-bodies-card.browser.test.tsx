import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { RecordBodiesCard } from "./record-bodies-card";

const url = "PUT /api/organization/settings";

test("an owner turns recording on", async () => {
  await renderPage(<RecordBodiesCard recordBodies={false} mayChange />, {
    answers: { [url]: new Response(null, { status: 204 }) },
  });
  const recording = page.getByRole("switch", { name: "Record payloads and answers" });
  await expect.element(recording).not.toBeChecked();
  await checkAppearance("settings, recording off");
  await page.getByText("Record payloads and answers").click();
  await expect.element(recording).toBeChecked();
});

test("a change that fails is undone and explained", async () => {
  await renderPage(<RecordBodiesCard recordBodies mayChange />, { answers: {} });
  await page.getByText("Record payloads and answers").click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByRole("switch")).toBeChecked();
});

test("other members see the setting and who can change it", async () => {
  await renderPage(<RecordBodiesCard recordBodies mayChange={false} />);
  await expect.element(page.getByRole("switch")).toBeDisabled();
  await checkAppearance("settings, seen by an operator");
});
