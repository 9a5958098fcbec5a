/**
 * Every page once, as a user it is for: nothing scrolls sideways, and the browser's console stays quiet (it reports scripts and styles
 * that the page's policy blocks). axe, focus rings and large text take turns, and so do widths and themes; the states of the components
 * are tested in all of them, beside the components.
 */
import { isShareDue } from "@/tests/turns.mjs";
import {
  checkFit,
  checkFocusRings,
  checkLargeText,
  checkPage,
  collectConsoleErrors,
  saveScreenshot,
  VARIANTS,
} from "./accessibility";
import { expect, test } from "./fixtures";
import { waitForDemo } from "./start-platform";
import { listSteps, startVisits, USERS, visit } from "./visits";

test.beforeAll(({ platform }) => waitForDemo(platform));

for (const user of USERS) {
  test(`the pages of a ${user}`, async ({ platform, page }) => {
    test.setTimeout(300_000);
    const errors = collectConsoleErrors(page);
    await startVisits(page, platform.webUrl, user);
    const checked = new Set<string>();
    let parent = "";
    for (const [index, go] of listSteps(user).entries()) {
      const { width, colorScheme } = VARIANTS[index % VARIANTS.length] ?? VARIANTS[0];
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      parent = await visit(page, platform.webUrl, go, parent);
      // A page that is opened again is only the way to the next.
      if (checked.has(page.url())) continue;
      checked.add(page.url());
      const name = `${user} ${go} ${width} ${colorScheme}`;
      // axe takes the other half of them in the next turn.
      await (isShareDue(index, 2) ? checkPage : checkFit)(page, name);
      // The frame around a page is the same for all pages of a user. The rings and the large text of the others take turns.
      const isFirst = index < VARIANTS.length;
      const isDue = isFirst || isShareDue(index);
      if (isDue) await checkFocusRings(page, name, isFirst ? "page" : "content");
      await saveScreenshot(page, name);
      if (isDue) await checkLargeText(page, name);
    }
    expect(errors).toEqual([]);
  });
}
