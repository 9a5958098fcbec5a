/** Manifest drafts, as specs need them before a page is opened. */
import type { Page } from "@playwright/test";
import pg from "pg";
import { readDatabaseUrl, type RunningPlatform } from "./start-platform";

/** Makes `text` the saved draft of a listing, whatever was there. `page` is signed in as one of its publishers. */
export async function storeDraft(
  platform: RunningPlatform,
  page: Page,
  appName: string,
  text: string,
): Promise<void> {
  const listingId = await listingIdOf(platform, appName);
  const status = await page.evaluate(
    async ([address, text]) => {
      const draft = await (await fetch(address)).json();
      const { revision, baseVersionId } = draft;
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ text, revision, baseVersionId });
      return (await fetch(address, { method: "PUT", headers, body })).status;
    },
    [`/api/listings/${listingId}/manifest`, text] as const,
  );
  if (status !== 200) throw new Error(`the draft was not stored: ${status}`);
}

/** What the server has. */
export async function storedDraft(platform: RunningPlatform, page: Page, appName: string): Promise<string> {
  const listingId = await listingIdOf(platform, appName);
  return page.evaluate(
    async (address) => (await (await fetch(address)).json()).text,
    `/api/listings/${listingId}/manifest`,
  );
}

async function listingIdOf(platform: RunningPlatform, appName: string): Promise<string> {
  const client = new pg.Client({ connectionString: await readDatabaseUrl(platform) });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>("select id from listings where app_name = $1", [
      appName,
    ]);
    const id = rows[0]?.id;
    if (id === undefined) throw new Error(`there is no listing ${appName}`);
    return id;
  } finally {
    await client.end();
  }
}
