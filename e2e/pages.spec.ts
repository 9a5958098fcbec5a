/**
 * Every page, as the person it is for, at phone and desktop width, in both themes: axe finds nothing serious, nothing
 * scrolls sideways, and the browser's console stays quiet (a script or style that the page's policy refuses shows there).
 * With `PLATFORM_SCREENSHOTS=<folder>` each is kept as a picture to look at.
 */
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, signInAs, test } from "./fixtures";

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
  test(`the pages of ${who} are in order`, async ({ platform, browser }) => {
    test.setTimeout(300_000);
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const complaints = collectComplaints(page);
      if (email !== undefined) await signInAs(page, platform.webUrl, email);
      for (const address of pages) {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await visit(page, platform.webUrl, address);
          const where = `${who} ${address} ${width} ${colorScheme}`;
          await check(page, where);
          await keep(page, where);
        }
      }
      expect(complaints, `${who}, ${colorScheme}`).toEqual([]);
      await context.close();
    }
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

async function check(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
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

async function keep(page: Page, where: string): Promise<void> {
  const folder = process.env.PLATFORM_SCREENSHOTS;
  if (folder === undefined) return;
  const name = where.replaceAll(/[^a-z0-9]+/gi, "-");
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/** What the console says, but for the 404s that this spec asks for. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const asked = message.text().includes("404") && /nothing-here|00000000-0000/.test(message.location().url);
    if (message.type() === "error" && !asked)
      complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
  });
  return complaints;
}
