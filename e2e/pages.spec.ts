/**
 * Every page, as the person it is for, at phone and desktop width, in both themes: axe finds nothing serious, nothing
 * scrolls sideways, and the browser's console stays quiet (a script or style that the page's policy refuses shows there).
 */
import type { Page } from "@playwright/test";
import { expect, signInAs, test } from "./fixtures";
import { checkPageInAllThemes, collectConsoleErrors } from "./accessibility";

const VISITS: { who: string; email?: string; pages: string[] }[] = [
  { who: "nobody", pages: ["/", "/sign-in", "/sign-up", "/nothing-here"] },
  {
    who: "customer",
    email: "harbor@demo.example",
    pages: [
      "/marketplace",
      "/marketplace?q=nothing-matches-this",
      "/marketplace/acme/vin-autofill",
      "/launch/acme/vin-autofill",
      "/tenants",
      "/tenants/new",
      "/installations",
      "/installations?state=ERROR",
      "link:VIN autofill",
      "/installations/00000000-0000-7000-8000-000000000000",
      "/sign-out",
    ],
  },
  {
    who: "publisher",
    email: "publisher@demo.example",
    pages: [
      "/publish",
      "/publish/new",
      "/publish/vin-autofill",
      "/organization/api-keys",
      "/installations",
      "/launch/acme/vin-autofill?test=1",
    ],
  },
  {
    who: "moderator",
    email: "moderator@demo.example",
    pages: ["/moderation", "/moderation?state=APPROVED", "link:VIN autofill"],
  },
];

for (const { who, email, pages } of VISITS) {
  test(`the pages of ${who} are in order`, async ({ platform, page }) => {
    test.setTimeout(300_000);
    const complaints = collectConsoleErrors(page);
    if (email !== undefined) await signInAs(page, platform.webUrl, email);
    for (const address of pages) {
      await visit(page, platform.webUrl, address);
      await checkPageInAllThemes(page, `${who} ${address}`);
    }
    expect(complaints, who).toEqual([]);
  });
}

/** An address, or `link:<name>` on the page before it. */
async function visit(page: Page, webUrl: string, address: string): Promise<void> {
  if (address.startsWith("link:")) {
    const link = page.getByRole("link", { name: new RegExp(address.slice(5)) });
    if ((await link.count()) === 0 && /\/(installations|moderation)\/./.test(page.url())) await page.reload();
    else if ((await link.count()) === 0) await page.goto(page.url().replace(/state=ERROR/, "state=RUNNING"));
    if ((await link.count()) > 0) await link.first().click();
    await page.waitForURL(/\/(installations|moderation)\/[0-9a-f-]{36}/);
  } else {
    await page.goto(webUrl + address);
  }
  await page.waitForLoadState("networkidle");
}
