/** Hostile manifests, by paste and by file: the editor says what is wrong, loses no character, and keeps working. */
import type { Page } from "@playwright/test";
import { exportFile, importFile, startEditing, storedDraft } from "./editor";
import { HOSTILE_MANIFESTS, VALID_MANIFEST } from "@/tests/manifests/hostile-manifests";
import { expect, test } from "./fixtures";
import type { RunningPlatform } from "./start-platform";

const APP = "hostile-app";
async function startWithValid(page: Page, platform: RunningPlatform, tab?: string): Promise<void> {
  await startEditing(page, platform, { appName: APP, title: "Hostile app", manifest: VALID_MANIFEST }, tab);
}

const problems = (page: Page) => page.getByText(/\d (error|warning)/).first();

/** Only a file has bytes, and only these have bytes that somebody could change. */
const AS_FILES = ["nothing", "ten thousand levels", "a byte order mark", "HTML and bidirectional marks"];

// components/catalog/editor/hostile-manifest.browser.test.tsx opens all of them in every tab.
test("hostile manifests are reported, kept to the last character, and undone", async ({ platform, page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => faults.push(`a dialog opened: ${dialog.message()}`));
  await startWithValid(page, platform);
  for (const { what, text, says } of HOSTILE_MANIFESTS.filter(({ what }) => AS_FILES.includes(what))) {
    await test.step(`${what}, by file`, async () => {
      await importFile(page, Buffer.from(text, "utf8"));
      await expect(problems(page)).toHaveText(says);
      expect(await exportFile(page)).toBe(text);
      await expect.poll(() => storedDraft(platform, page, APP)).toBe(text);
      await page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ }).click();
      expect(await exportFile(page)).toBe(VALID_MANIFEST);
    });
  }
  await expect.poll(() => storedDraft(platform, page, APP)).toBe(VALID_MANIFEST);
  expect(faults).toEqual([]);
});

test("broken text in the JSON tab is kept, and design edits are blocked until it is fixed", async ({
  platform,
  page,
}) => {
  await startWithValid(page, platform, "json");
  const code = page.getByRole("textbox", { name: /manifest/i });
  await code.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("\n<b>not JSON \u202E at all</b>");
  const broken = `${VALID_MANIFEST}\n<b>not JSON \u202E at all</b>`;
  await expect(problems(page)).toHaveText(/error/);
  await page.getByRole("tab", { name: /^Design/ }).click();
  await expect(page.getByText(/cannot be drawn|broken/i).first()).toBeVisible();
  expect(await exportFile(page)).toBe(broken);
  await expect.poll(() => storedDraft(platform, page, APP)).toBe(broken);
  await page.keyboard.press("ControlOrMeta+Z");
  expect(await exportFile(page)).toBe(VALID_MANIFEST);
});

test("a file that is not UTF-8 or too large is refused with the reason, and the text stays", async ({
  platform,
  page,
}) => {
  await startWithValid(page, platform);
  await importFile(page, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  await expect(page.getByText(/UTF-8/).first()).toBeVisible();
  await importFile(page, Buffer.alloc(1024 * 1024 + 1, 0x20));
  await expect(page.getByText(/1 MiB/).first()).toBeVisible();
  expect(await exportFile(page)).toBe(VALID_MANIFEST);
});
