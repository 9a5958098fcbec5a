/** Starts the platform with its demo and takes the README's screenshots into `docs/images`: `npm run screenshots`. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { open, signInAs } from "../../e2e/fixtures";
import { queryDatabase, startPlatform, waitForDemo, type RunningPlatform } from "../../e2e/start-platform";
import { launchOptions } from "../browser/find-chromium.mjs";

const FOLDER = path.join(import.meta.dirname, "../../docs/images");
const THEMES = ["light", "dark"] as const;

const platform = await startPlatform("process");
const browser = await chromium.launch(launchOptions());
try {
  await waitForDemo(platform);
  await mkdir(FOLDER, { recursive: true });
  for (const theme of THEMES) {
    const viewport = { width: 1280, height: 860 };
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1.5, colorScheme: theme });
    const page = await context.newPage();
    await open(page, `${platform.webUrl}/marketplace`);
    await take(page, `marketplace-${theme}`);
    await signInAs(page, platform.webUrl, "harbor@demo.example");
    await open(page, `${platform.webUrl}/installations/${await findInstallation(platform)}/calls?last=7d`);
    await page.locator("figure canvas").first().waitFor();
    await take(page, `calls-${theme}`);
    await context.close();
  }
} finally {
  await browser.close();
  await platform.stop();
}

async function findInstallation(running: RunningPlatform): Promise<string> {
  const [row] = await queryDatabase(
    running,
    `select i.id from installations i join listings l on l.id = i.listing_id join organizations o on o.id = i.organization_id
      where l.app_name = 'vin-autofill' and o.slug = 'harbor-mutual'`,
  );
  if (row?.id === undefined) throw new Error("the demo has no installation of vin-autofill");
  return row.id;
}

async function take(page: Page, name: string): Promise<void> {
  // Charts and pictures are drawn within a second; nothing signals when the last one is done.
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await page.waitForTimeout(1_500);
  await sharp(await page.screenshot({ animations: "disabled" }))
    .webp({ quality: 82, effort: 6 })
    .toFile(path.join(FOLDER, `${name}.webp`));
}
