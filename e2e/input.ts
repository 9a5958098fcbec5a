/** The same things done to the manifest editor by mouse, by keyboard alone, and by touch. */
import { expect, type Locator, type Page } from "@playwright/test";
import { expectInspected } from "./editor";

export interface EditorInput {
  /** Adds an entry to the end of its list; the inspector shows it afterwards. */
  add: (ingredient: string, section: string) => Promise<void>;
  /** Shows an entry, or the app itself, in the inspector. */
  open: (title: string) => Promise<void>;
  /** Makes a field's text another one. */
  fill: (label: string, text: string) => Promise<void>;
  switchOn: (label: string) => Promise<void>;
  addValue: () => Promise<void>;
  /** Puts an entry in the place before it. */
  moveUp: (title: string, above: string) => Promise<void>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const field = (page: Page, label: string) =>
  inspector(page).getByRole("textbox", { name: new RegExp(`^${label}( optional)?$`) });
const row = (page: Page, title: string) => page.getByRole("row", { name: title, exact: true });

/** The inspector's heading for a row of the list. */
async function headingOf(page: Page, title: string): Promise<string> {
  return (await row(page, title).count()) > 0 ? title : "Name and version";
}

export function mouseInput(page: Page): EditorInput {
  return {
    add: async (ingredient, section) => {
      const source = page
        .getByRole("grid", { name: "Palette" })
        .getByRole("row", { name: ingredient, exact: true });
      await drag(page, source, await endOf(page, section));
      // The editor moves the focus to the new entry's row. A field that is clicked before that would lose it again.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-entry") ?? ""))
        .toMatch(/^entry-/);
    },
    open: async (title) => {
      const heading = await headingOf(page, title);
      await row(page, title)
        .or(appRow(page, title))
        .first()
        .click({ position: { x: 60, y: 16 } });
      await expectInspected(page, heading);
    },
    fill: async (label, text) => {
      await field(page, label).click({ clickCount: 3 });
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    switchOn: (label) => inspector(page).getByText(label, { exact: true }).click(),
    addValue: () => inspector(page).getByRole("button", { name: "Add a value" }).click(),
    moveUp: async (title, above) => {
      const box = await boxOf(row(page, above));
      await drag(page, row(page, title), { x: box.x + box.width / 2, y: box.y + 3 });
    },
    undo: () => page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ }).click(),
    redo: () => page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Redo/ }).click(),
  };
}

export function keyboardInput(page: Page): EditorInput {
  const press = (key: string) => page.keyboard.press(key);
  /** Tab, and the arrows within a list, until it has the focus. */
  const reach = async (goal: Locator, keys = "Tab") => {
    await expect(goal).toBeVisible();
    // Found once: a search by name and role takes longer than the key.
    const element = await goal.elementHandle();
    for (let count = 0; count < 120; count += 1) {
      if (await element?.evaluate((one) => one === document.activeElement)) return;
      await press(keys);
    }
    throw new Error(`${String(goal)} cannot be reached with ${keys}`);
  };
  const reachRow = async (list: Locator, goal: Locator) => {
    const element = await list.elementHandle();
    const isThere = () => element?.evaluate((one) => one.contains(document.activeElement));
    for (let count = 0; count < 120 && !(await isThere()); count += 1) await press("Tab");
    if (await goal.evaluate((one) => one.contains(document.activeElement))) return;
    await press("Home");
    await reach(goal, "ArrowDown");
  };
  const listOf = (goal: Locator) => page.getByRole("grid").filter({ has: goal });
  return {
    add: async (ingredient) => {
      const palette = page.getByRole("grid", { name: "Palette" });
      await reachRow(palette, palette.getByRole("row", { name: ingredient, exact: true }));
      await press("Enter");
      // The next key must not come before the focus has moved to the new entry's first field.
      await expect
        .poll(() => palette.evaluate((element) => element.contains(document.activeElement)))
        .toBe(false);
    },
    open: async (title) => {
      const heading = await headingOf(page, title);
      if ((await row(page, title).count()) > 0) await reachRow(listOf(row(page, title)), row(page, title));
      else await reach(appRow(page, title));
      await press("Enter");
      await expectInspected(page, heading);
    },
    fill: async (label, text) => {
      const goal = field(page, label);
      const cell = page.getByRole("textbox", { name: label, exact: true });
      const cells = inspector(page).getByRole("grid").filter({ has: cell });
      // A row of values is reached with the arrows, and what is in it with Tab.
      if ((await cells.count()) > 0) await reachRow(cells, cells.getByRole("row").filter({ has: cell }));
      await reach(goal);
      await press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    switchOn: async (label) => {
      await reach(inspector(page).getByRole("switch", { name: label, exact: true }));
      await press("Space");
    },
    addValue: async () => {
      await reach(inspector(page).getByRole("button", { name: "Add a value" }));
      await press("Enter");
      // Typing continues in the new row.
      await expect(
        inspector(page)
          .getByRole("textbox", { name: /^Text \d+$/ })
          .last(),
      ).toBeFocused();
    },
    moveUp: async (title, above) => {
      await reachRow(listOf(row(page, title)), row(page, title));
      await reach(row(page, title).getByRole("button", { name: /^Drag/ }), "ArrowRight");
      await press("Enter");
      const before = page.getByRole("button", { name: new RegExp(`^Insert before ${above}`) });
      await reach(before, "ArrowUp");
      await press("Enter");
    },
    undo: () => press("ControlOrMeta+Z"),
    redo: () => press("ControlOrMeta+Shift+Z"),
  };
}

export function touchInput(page: Page): EditorInput {
  const back = () => page.getByRole("button", { name: /^(Fields|Back to the list)$/ });
  const toList = async () => {
    if (!(await back().isVisible())) return;
    await back().tap();
    await expect(back()).toBeHidden();
  };
  return {
    add: async (ingredient) => {
      await toList();
      await page.getByRole("button", { name: "Add", exact: true }).tap();
      await page.getByRole("menuitem", { name: ingredient }).tap();
      await expect(back()).toBeVisible();
    },
    open: async (title) => {
      await toList();
      const heading = await headingOf(page, title);
      await row(page, title)
        .or(appRow(page, title))
        .first()
        .tap({ position: { x: 60, y: 16 } });
      await expectInspected(page, heading);
    },
    fill: async (label, text) => {
      await field(page, label).tap();
      await field(page, label).fill(text);
    },
    switchOn: (label) => inspector(page).getByText(label, { exact: true }).tap(),
    addValue: () => inspector(page).getByRole("button", { name: "Add a value" }).tap(),
    moveUp: async (title) => {
      await toList();
      await page.getByRole("button", { name: `Actions for ${title}` }).tap();
      await page.getByRole("menuitem", { name: /^Move up/ }).tap();
    },
    undo: () => page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ }).tap(),
    redo: () => page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Redo/ }).tap(),
  };
}

function appRow(page: Page, title: string): Locator {
  return page.getByRole("button", { name: new RegExp(`^App ${title}`) });
}

/** Where a drop puts something at a section's end: below its last row, or on its empty list. */
async function endOf(page: Page, section: string): Promise<{ x: number; y: number }> {
  const list = page.getByRole("grid", { name: section, exact: true });
  // In the middle, so that nothing that stays in view covers it. What is dragged is one of those, so it scrolls nothing.
  await list.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await boxOf(list);
  return { x: box.x + box.width / 2, y: box.y + box.height - 4 };
}

/** In small steps, as a hand moves: the browser starts a drag only after some of them. */
async function drag(page: Page, source: Locator, to: { x: number; y: number }): Promise<void> {
  const from = await source.boundingBox();
  if (from === null) throw new Error(`${String(source)} is not on the page`);
  await page.mouse.move(from.x + 60, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 70, from.y + from.height / 2 + 10, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.move(to.x, to.y + 1);
  await page.mouse.up();
}

async function boxOf(locator: Locator) {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${String(locator)} is not on the page`);
  return box;
}
