/** How pages are looked at: by axe, by their width, by what the console says, and by people in pictures. */
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** axe finds nothing serious, and nothing scrolls sideways. */
export async function checkPage(page: Page, where: string): Promise<void> {
  // What is still fading in has less contrast than it will have.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished);
    // One on what is folded away does not run, and so does not end.
    return Promise.race([Promise.allSettled(ending), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  });
  const { violations } = await new AxeBuilder({ page })
    // There are no frames, so that it needs no page of its own to bring their results together: half the time.
    .setLegacyMode(true)
    // React Aria says there, for seconds, what a button is called that may be gone by now.
    .exclude("[data-live-announcer]")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const serious = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  expect(serious, where).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** One state of a page at each width and in both themes, as somebody who resizes a window and changes the system's theme. */
export async function checkPageInAllThemes(
  page: Page,
  where: string,
  widths: readonly number[] = [1440, 390],
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await checkPage(page, `${where} ${width} ${colorScheme}`);
      await saveScreenshot(page, `${where} ${width} ${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: widths[0] ?? 1440, height: 900 });
}

/** With `PLATFORM_SCREENSHOTS=<folder>` a picture to look at. */
export async function saveScreenshot(page: Page, where: string): Promise<void> {
  const folder = process.env.PLATFORM_SCREENSHOTS;
  if (folder === undefined) return;
  const name = where.replaceAll(/[^a-z0-9]+/gi, "-");
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/** What the console says, but for the 404s that this spec asks for. */
export function collectConsoleErrors(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const asked = message.text().includes("404") && /nothing-here|00000000-0000/.test(message.location().url);
    if (message.type() === "error" && !asked)
      complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
  });
  return complaints;
}
