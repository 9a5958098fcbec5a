/** Hostile manifests, by paste, by file and by the API: the editor says what is wrong, loses no character, and keeps working. */
import type { Page } from "@playwright/test";
import { exportFile, importFile, openEditor, startEditing, storeDraft, storedDraft } from "./editor";
import { expect, test } from "./fixtures";
import type { RunningPlatform } from "./start-platform";

const APP = "hostile-app";
const VALID = JSON.stringify({ name: `acme/${APP}`, version: "1.0.0", app: { fields: [] } }, null, 2);
const withFields = (...fields: unknown[]) =>
  JSON.stringify({ name: `acme/${APP}`, version: "1.0.0", app: { fields } }, null, 1);

const HOSTILE: { what: string; text: string; says: RegExp }[] = [
  { what: "nothing", text: "", says: /\d error/ },
  { what: "ten thousand levels", text: '{"a":'.repeat(10_000), says: /1 error/ },
  { what: "a byte order mark", text: `\uFEFF${VALID}`, says: /1 error/ },
  { what: "duplicate keys", text: VALID.replace('"version"', '"name": "x",\n  "version"'), says: /\d error/ },
  { what: "__proto__", text: VALID.replace("{", '{ "__proto__": { "polluted": true },'), says: /\d error/ },
  { what: "an escaped NUL", text: withFields({ name: "a", title: "\0", type: "Text" }), says: /\d error/ },
  {
    what: "half a surrogate pair",
    text: withFields({ name: "a", title: "\uD800", type: "Text" }),
    says: /\d error/,
  },
  { what: "lists that are none", text: VALID.replace("[]", '{ "0": null }'), says: /\d error/ },
  { what: "entries that are none", text: withFields(null, 7, [], "x", { values: {} }), says: /\d error/ },
  { what: "a foreign name", text: VALID.replace("acme/", "evil/"), says: /1 error/ },
  { what: "version 10³⁰", text: VALID.replace("1.0.0", `1${"0".repeat(30)}.0.0`), says: /1 error/ },
  {
    what: "HTML and bidirectional marks",
    text: withFields({ name: "a", title: "<img src=x onerror=alert(1)>\u202E<script>", type: "Text" }),
    says: /1 warning/,
  },
];

async function startWithValid(page: Page, platform: RunningPlatform, tab?: string): Promise<void> {
  await startEditing(page, platform, { appName: APP, title: "Hostile app", manifest: VALID }, tab);
}

const problems = (page: Page) => page.getByText(/\d (error|warning)/).first();

test("each hostile manifest is reported, kept to the last character, and undone", async ({
  platform,
  page,
}) => {
  test.setTimeout(240_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => faults.push(`a dialog opened: ${dialog.message()}`));
  await startWithValid(page, platform);

  for (const { what, text, says } of HOSTILE) {
    await test.step(`${what}, by file`, async () => {
      await importFile(page, Buffer.from(text, "utf8"));
      // A file holds no half of a surrogate pair: UTF-8 has none.
      const read = Buffer.from(text, "utf8").toString("utf8");
      await expect(problems(page)).toHaveText(says);
      for (const tab of ["Preview", "JSON", "What the app sees", "Changes", "Design"])
        await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
      expect(await exportFile(page)).toBe(read);
      await expect.poll(() => storedDraft(platform, page, APP)).toBe(read);
      await page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ }).click();
      expect(await exportFile(page)).toBe(VALID);
    });
  }
  await expect.poll(() => storedDraft(platform, page, APP)).toBe(VALID);

  for (const { what, text, says } of HOSTILE) {
    await test.step(`${what}, by the API`, async () => {
      await storeDraft(platform, page, APP, text);
      await openEditor(page, platform, APP);
      await expect(problems(page)).toHaveText(says);
      expect(await storedDraft(platform, page, APP)).toBe(text);
    });
  }
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
  const broken = `${VALID}\n<b>not JSON \u202E at all</b>`;
  await expect(problems(page)).toHaveText(/error/);
  await page.getByRole("tab", { name: /^Design/ }).click();
  await expect(page.getByText(/cannot be drawn|broken/i).first()).toBeVisible();
  expect(await exportFile(page)).toBe(broken);
  await expect.poll(() => storedDraft(platform, page, APP)).toBe(broken);
  await page.keyboard.press("ControlOrMeta+Z");
  expect(await exportFile(page)).toBe(VALID);
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
  expect(await exportFile(page)).toBe(VALID);
});
