import { expect } from "vitest";
import { page } from "vitest/browser";

/** The inspector follows a moment after the list: what is typed before that edits the entry that it still shows. */
export async function selectEntry(title: string): Promise<void> {
  await page.getByRole("row", { name: title, exact: true }).click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect.element(inspector.getByRole("heading", { name: title, exact: true })).toBeVisible();
}
