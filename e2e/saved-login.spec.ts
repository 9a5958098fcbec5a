/** Guarantee: a browser that has a login of this site saved fills it in where the site asks for one, and nowhere else. */
import { type BrowserContext, chromium, type Page, type TestInfo } from "@playwright/test";
import { findWholeChromium, launchOptions } from "@/tests/browser/find-chromium.mjs";
import { isDue } from "@/tests/turns.mjs";
import { DEMO_PASSWORD, expect, open, test } from "./fixtures";
import { waitForDemo } from "./start-platform";
import { listSteps, startVisits, USERS, visit } from "./visits";

const whole = findWholeChromium();

test.skip(whole === undefined, "chromium-headless-shell has no password manager: install chromium");
test.beforeAll(({ platform }) => waitForDemo(platform));

let context: BrowserContext | undefined;
test.afterEach(() => context?.close());

/** A page of a browser whose password manager knows this login. */
async function openBrowser(info: TestInfo, webUrl: string, email: string, password: string): Promise<Page> {
  const options = launchOptions(whole);
  context = await chromium.launchPersistentContext(info.outputPath("profile"), {
    ...options,
    args: [...options.args, "--password-store=basic"],
  });
  const page = await context.newPage();
  await page.goto("chrome://password-manager/passwords");
  await page.evaluate(
    (login) => {
      const { chrome } = globalThis as unknown as {
        chrome: { passwordsPrivate: { addPassword: (login: object) => Promise<void> } };
      };
      return chrome.passwordsPrivate.addPassword({ ...login, note: "", useAccountStore: false });
    },
    { url: webUrl, username: email, password },
  );
  return page;
}

const listFilled = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>(":autofill")].map(
      ({ autocomplete, labels, name }) => `${labels?.[0]?.textContent ?? name} (${autocomplete})`,
    ),
  );

/** What it filled after a person pressed somewhere, without which a page doesn't get the values. Without what asks for this site's login. */
async function listWronglyFilled(page: Page): Promise<string[]> {
  if ((await page.locator("input, textarea").count()) === 0) return [];
  await page.getByRole("heading").first().click();
  // Chromium fills a moment after fields appear.
  await page.waitForTimeout(700);
  return (await listFilled(page)).filter((field) => !/\((username|email|current-password)\b/.test(field));
}

for (const user of USERS) {
  if (!isDue(`saved login of a ${user}`)) continue;
  test(`the pages of a ${user}`, async ({ platform }, info) => {
    test.setTimeout(300_000);
    const page = await openBrowser(info, platform.webUrl, "harbor@demo.example", DEMO_PASSWORD);
    await open(page, `${platform.webUrl}/sign-in`);
    await page.getByRole("heading").first().click();
    await expect.poll(() => listFilled(page), "a browser that fills nothing shows nothing").toHaveLength(2);
    await startVisits(page, platform.webUrl, user);
    let parent = "";
    for (const go of listSteps(user)) {
      parent = await visit(page, platform.webUrl, go, parent);
      expect.soft(await listWronglyFilled(page), page.url()).toEqual([]);
    }
  });
}
