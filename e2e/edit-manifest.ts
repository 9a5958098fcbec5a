/** What several specs do on the editor's page. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { open } from "./fixtures";
import type { RunningPlatform } from "./start-platform";

export function editorUrl(platform: RunningPlatform, appName: string, tab = "design"): string {
  return `${platform.webUrl}/publish/${appName}/manifest${tab === "design" ? "" : `?tab=${tab}`}`;
}

export async function openEditor(page: Page, platform: RunningPlatform, appName: string, tab?: string) {
  await open(page, editorUrl(platform, appName, tab));
}

/** The file that "Export" gives. */
export async function exportFile(page: Page): Promise<string> {
  await page.getByRole("button", { name: "More actions" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /^Export/ }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

export async function importFile(page: Page, content: Buffer): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("menuitem", { name: /^Import/ }).click(),
  ]);
  await chooser.setFiles({ name: "platform-app.json", mimeType: "application/json", buffer: content });
}

/** A new listing of the signed-in publisher; nothing happens when it is there. */
export async function ensureListing(page: Page, appName: string, title: string): Promise<void> {
  await page.evaluate(
    async ([appName, title]) => {
      const about = { product: "An app of a test.", company: "", offering: "" };
      const requirements = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
      await fetch("/api/listings", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ appName, title, about, requirements }),
      });
    },
    [appName, title] as const,
  );
}
