/** Steps that several specs take in the manifest editor. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, open, signInAs } from "./fixtures";
import { queryDatabase, type RunningPlatform } from "./start-platform";

export interface EditedApp {
  appName: string;
  title: string;
  manifest: string;
}

/** Signs in as the demo's publisher and opens the editor on a draft with this manifest, whatever was there before. */
export async function startEditing(
  page: Page,
  platform: RunningPlatform,
  { appName, title, manifest }: EditedApp,
  tab?: string,
): Promise<void> {
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await ensureListing(platform, page, appName, title);
  await storeDraft(platform, page, appName, manifest);
  await openEditor(page, platform, appName, tab);
}

export async function openEditor(page: Page, platform: RunningPlatform, appName: string, tab = "design") {
  await open(page, `${platform.webUrl}/publish/${appName}/manifest${tab === "design" ? "" : `?tab=${tab}`}`);
}

/** The inspector follows a moment after the list: what is typed before that edits the entry that it still shows. */
export async function selectEntry(page: Page, title: string): Promise<void> {
  await page.getByRole("row", { name: title, exact: true }).click();
  await expectInspected(page, title);
}

export async function expectInspected(page: Page, title: string): Promise<void> {
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector.getByRole("heading", { name: title, exact: true })).toBeVisible();
}

/** The content of the file that "Export" downloads. */
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

/** Creates a listing of the signed-in publisher unless it exists. */
export async function ensureListing(
  { webUrl }: RunningPlatform,
  page: Page,
  appName: string,
  title: string,
): Promise<void> {
  const about = { product: "An app of a test.", company: "", offering: "" };
  const requirements = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
  const answer = await page.request.post(`${webUrl}/api/listings`, {
    headers: { origin: webUrl },
    data: { appName, title, about, requirements },
  });
  expect([201, 409], await answer.text()).toContain(answer.status());
}

/** Replaces the saved draft of a listing. The page's session is a publisher's. */
export async function storeDraft(
  platform: RunningPlatform,
  page: Page,
  appName: string,
  text: string,
): Promise<void> {
  const url = await draftUrl(platform, appName);
  const { revision, baseVersionId } = await (await page.request.get(url)).json();
  const headers = { origin: platform.webUrl };
  const answer = await page.request.put(url, { headers, data: { text, revision, baseVersionId } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** The draft as the server has it. */
export async function storedDraft(platform: RunningPlatform, page: Page, appName: string): Promise<string> {
  const answer = await page.request.get(await draftUrl(platform, appName));
  return (await answer.json()).text;
}

const draftUrls = new Map<string, string>();

async function draftUrl(platform: RunningPlatform, appName: string): Promise<string> {
  const page = `${platform.webUrl}/publish/${appName}`;
  const known = draftUrls.get(page);
  if (known !== undefined) return known;
  const [listing] = await queryDatabase(platform, "select id from listings where app_name = $1", [appName]);
  if (listing === undefined) throw new Error(`There is no listing ${appName}.`);
  const url = `${platform.webUrl}/api/listings/${listing.id}/manifest`;
  draftUrls.set(page, url);
  return url;
}
