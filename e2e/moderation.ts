/** Steps of reviews, as publishers and moderators do them on the pages. */
import type { Page } from "@playwright/test";
import { expect, open } from "./fixtures";
import type { RunningPlatform } from "./start-platform";
import type { EchoApp } from "./workflows";

interface Submission {
  number: string;
  note?: string;
  releaseNotes?: string;
}

/** Submits a version, and ends on the review's page. @returns the review's id */
export async function submitVersion(
  page: Page,
  { webUrl }: RunningPlatform,
  { name }: EchoApp,
  { number, note = "", releaseNotes }: Submission,
): Promise<string> {
  await open(page, `${webUrl}/publish/${name}/versions`);
  await page
    .getByRole("row", { name: new RegExp(number) })
    .getByRole("button", { name: "Submit" })
    .click();
  const dialog = page.getByRole("alertdialog", { name: `Submit version ${number} for review?` });
  if (releaseNotes !== undefined)
    await dialog.getByRole("textbox", { name: "Release notes" }).fill(releaseNotes);
  await dialog.getByRole("textbox", { name: "Note for the moderator" }).fill(note);
  await dialog.getByRole("button", { name: "Submit for review" }).click();
  await expect(page).toHaveURL(/\/reviews\/[0-9a-f-]{36}$/);
  return page.url().split("/").at(-1) ?? "";
}

/** Approves the review that the page shows. */
export async function approve(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Approve" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(page.getByText(/^Decided by /)).toBeVisible();
}

/** Follows a notification of the bell. */
export async function followNotification(
  page: Page,
  { webUrl }: RunningPlatform,
  title: RegExp,
): Promise<void> {
  await open(page, `${webUrl}/home`);
  await page.getByRole("button", { name: /^Notifications, .+ unread$/ }).click();
  const link = page.getByRole("dialog", { name: "Notifications" }).getByRole("link", { name: title });
  await link.click();
  await expect(page).not.toHaveURL(/\/home$/);
}
