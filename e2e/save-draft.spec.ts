/** Nothing that was typed into the manifest editor is lost: not by a lost network, a reload, a closed tab, or another user. */
import type { BrowserContext, Page } from "@playwright/test";
import { newManifestText } from "@/lib/domain/catalog/manifest/entry";
import { isDue } from "@/tests/turns.mjs";
import { ensureListing, exportFile, openEditor, selectEntry, startEditing, storedDraft } from "./editor";
import { expect, signInAs, test } from "./fixtures";
import type { RunningPlatform } from "./start-platform";

const APP = "kept-draft";
const START = JSON.stringify(
  {
    name: `acme/${APP}`,
    version: "1.0.0",
    "x-team": { owner: "claims" },
    app: {
      fields: [
        { name: "hello", title: "Greeting", type: "Text" },
        { name: "bye", title: "Farewell", type: "Text" },
      ],
    },
  },
  null,
  4,
);

const title = (page: Page) => page.getByRole("region", { name: "Inspector" }).getByLabel("Title");
const saved = (page: Page) => expect(page.getByText(/^Saved /)).toBeVisible();
const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });

async function start(context: BrowserContext, platform: RunningPlatform): Promise<Page> {
  const page = await context.newPage();
  await startEditing(page, platform, { appName: APP, title: "Kept draft", manifest: START });
  return page;
}

/** Two tabs with one draft, in which the first then saves another title of the greeting. */
async function startTwice(
  context: BrowserContext,
  platform: RunningPlatform,
  greeting: string,
): Promise<[one: Page, other: Page]> {
  const one = await start(context, platform);
  const other = await context.newPage();
  await openEditor(other, platform, APP);
  await selectEntry(one, "Greeting");
  await title(one).fill(greeting);
  await saved(one);
  return [one, other];
}

/** The draft's requests fail as they do without a network; the page itself still loads. */
async function cutNetwork(context: BrowserContext): Promise<() => Promise<void>> {
  const address = "**/api/listings/*/manifest";
  await context.route(address, (route) => route.abort("internetdisconnected"));
  return () => context.unroute(address);
}

test("text typed offline survives a reload and is saved when the network is back", async ({
  platform,
  context,
}) => {
  const page = await start(context, platform);
  const restore = await cutNetwork(context);
  await selectEntry(page, "Greeting");
  await title(page).fill("Greeting, typed in the tunnel");
  await expect(page.getByText("Offline, saved in this browser")).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue("Greeting, typed in the tunnel");
  await title(page).press("End");
  await page.keyboard.type(" and after it");
  await restore();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await saved(page);
  await expect
    .poll(() => storedDraft(platform, page, APP))
    .toBe(START.replace('"title": "Greeting"', '"title": "Greeting, typed in the tunnel and after it"'));
});

test("every tab opens offline, also for the first time", async ({ platform, context }) => {
  const page = await start(context, platform);
  // From the first input on, the tabs' code is loaded while the page is idle: afterwards, nothing more is loaded.
  await page.getByRole("tab", { name: "Design" }).hover();
  await page.waitForFunction(() => {
    const ends = performance.getEntriesByType("resource").map((entry) => entry.startTime + entry.duration);
    return performance.now() - Math.max(...ends) > 3_000;
  });
  await context.setOffline(true);
  for (const [tab, content] of [
    ["What the app sees", /PLATFORM_STATE_API/],
    ["Preview", /Launch Kept draft/],
    ["JSON", /x-team/],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel").getByText(content).first()).toBeVisible();
  }
  await context.setOffline(false);
});

test("two tabs that edit at once both notice, and a merge keeps both edits", async ({
  platform,
  context,
}) => {
  const [one, other] = await startTwice(context, platform, "Salutation");
  await selectEntry(other, "Farewell");
  await title(other).fill("Goodbye");
  await expect(other.getByText(/^Pia Publisher changed this manifest/)).toBeVisible();
  await other.getByRole("button", { name: "See differences" }).click();
  await expect(other.getByRole("dialog")).toContainText("Salutation");
  await other.keyboard.press("Escape");
  await other.getByRole("button", { name: "Merge" }).click();
  await saved(other);
  const merged = START.replace('"title": "Greeting"', '"title": "Salutation"').replace(
    '"title": "Farewell"',
    '"title": "Goodbye"',
  );
  expect(await exportFile(other)).toBe(merged);
  await expect.poll(() => storedDraft(platform, other, APP)).toBe(merged);
  // The first tab has nothing unsaved: it follows when somebody looks at it.
  await one.bringToFront();
  await one.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(row(one, "Goodbye")).toBeVisible();
});

test("a draft of a new listing starts with its name", async ({ platform, context }) => {
  const page = await start(context, platform);
  await ensureListing(platform, page, "fresh-app", "Fresh app");
  await openEditor(page, platform, "fresh-app");
  expect(await exportFile(page)).toBe(newManifestText("acme/fresh-app"));
});

// components/catalog/drafts/draft-sync.test.ts has every case of these without a page.
if (isDue("drafts in other tabs")) {
  test("work in a tab that was closed offline is restored in the next tab", async ({ platform, context }) => {
    const page = await start(context, platform);
    const restore = await cutNetwork(context);
    await selectEntry(page, "Farewell");
    await title(page).fill("So long");
    await expect(page.getByText("Offline, saved in this browser")).toBeVisible();
    await page.close();
    await restore();
    const next = await context.newPage();
    await openEditor(next, platform, APP);
    await expect(row(next, "So long")).toBeVisible();
    await expect.poll(() => storedDraft(platform, next, APP)).toContain("So long");
  });

  test("using the other draft can be undone, and keeping mine overwrites the other", async ({
    platform,
    context,
  }) => {
    const [one, other] = await startTwice(context, platform, "Theirs");
    await selectEntry(other, "Greeting");
    await title(other).fill("Mine");
    await other.getByRole("button", { name: "Use theirs" }).click();
    await expect(title(other)).toHaveValue("Theirs");
    await other.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ }).click();
    await expect(title(other)).toHaveValue("Mine");
    await expect.poll(() => storedDraft(platform, other, APP)).toContain('"Mine"');

    await title(one).fill("Once more");
    await one.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => storedDraft(platform, one, APP)).toContain('"Once more"');
  });

  test("when the session ends, the work is kept and the page links to sign-in", async ({
    platform,
    context,
  }) => {
    const page = await start(context, platform);
    await context.clearCookies();
    await selectEntry(page, "Greeting");
    await title(page).fill("Typed after the session's end");
    await expect(page.getByText(/^Signed out, saved in this browser/)).toBeVisible();
    await signInAs(page, platform.webUrl, "publisher@demo.example");
    await openEditor(page, platform, APP);
    await expect(title(page)).toHaveValue("Typed after the session's end");
    await expect.poll(() => storedDraft(platform, page, APP)).toContain("Typed after the session's end");
  });
}
