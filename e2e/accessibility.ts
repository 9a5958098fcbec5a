/** Checks of a whole page: axe, its width, the console, and a screenshot for review. */
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { findViolations } from "@/tests/browser/find-violations";
import { listStrayLoginFields } from "@/tests/browser/login-fields";
import { listOverlappingTexts } from "@/tests/browser/overlapping-texts";

/** How people see pages. */
export const VARIANTS = [
  { width: 1440, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1440, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
] as const;

/** axe finds nothing serious, nothing scrolls sideways, and only the fields of a login look like one. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await checkAxe(page, name);
  await checkFit(page, name);
}

async function checkAxe(page: Page, name: string): Promise<void> {
  // Content that is still fading in has less contrast than it will have.
  await page.evaluate(() => {
    const finished = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished);
    // An animation of hidden content never finishes.
    return Promise.race([Promise.allSettled(finished), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  });
  const find = async () => {
    await expect(page).toHaveTitle(/./);
    return findViolations(page);
  };
  const found = await find();
  // A refresh of the page replaces its title, which may be while axe looks.
  const isRefreshed = found.some((violation) => violation.startsWith("document-title"));
  expect(isRefreshed ? await find() : found, name).toEqual([]);
}

/** What `checkPage` checks besides axe, which takes most of the time. */
export async function checkFit(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(listStrayLoginFields), `${name}: fields that look like a login`).toEqual([]);
}

/**
 * For a reader who has set the browser's text to twice the size, nothing scrolls sideways or is printed over something else, on a
 * phone and on a desktop.
 */
export async function checkLargeText(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate(listWideElements);
    const overlapping = await page.evaluate(listOverlappingTexts);
    // Chromium forgets the size of text when it takes a picture of a whole page.
    await saveScreenshot(page, `${name} 200% ${width}`, { fullPage: false });
    const where = `${name} with text of 200% at ${width} px`;
    expect.soft(wide, `${where}: wider than the page`).toEqual([]);
    expect.soft(overlapping, `${where}: printed over each other`).toEqual([]);
  }
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  await browser.detach();
  if (before !== null) await page.setViewportSize(before);
}

/** Runs in the page. What makes it scroll sideways. */
async function listWideElements(): Promise<string[]> {
  const root = document.documentElement;
  // Lists and charts that count in pixels follow in a frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { scrollWidth, clientWidth } = root;
  const wide = [...document.querySelectorAll("body *")].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
  );
  return scrollWidth <= clientWidth
    ? []
    : [
        `${scrollWidth} > ${clientWidth}`,
        ...wide.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 120)),
      ];
}

/**
 * Tabs through the page, or through its content without the frame around it, and expects a focus ring on each stop: an outline
 * of at least 2 px that no scroll container cuts off, on the element itself or on the label or box that draws it.
 */
export async function checkFocusRings(page: Page, name: string, part: "page" | "content"): Promise<void> {
  const missing: string[] = [];
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  if (part === "content") await page.getByRole("main").focus();
  for (let stop = 0; stop < MAX_FOCUS_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(inspectFocus);
    if (found === "end") break;
    if (found !== undefined) missing.push(found);
  }
  expect.soft(missing, `${name}: stops without a focus ring`).toEqual([]);
}

/** More than a page has kinds of controls; the rest are rows of lists. */
const MAX_FOCUS_STOPS = 30;

/** Runs in the page. The focused element if it has no ring; `end` after the last stop. */
function inspectFocus(): string | "end" | undefined {
  // A ring that fades in is judged as it will be.
  for (const animation of document.getAnimations())
    if (animation instanceof CSSTransition) animation.finish();
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused.matches("[data-visited]")) {
    for (const visited of document.querySelectorAll("[data-visited]"))
      visited.removeAttribute("data-visited");
    return "end";
  }
  focused.setAttribute("data-visited", "");
  for (let element: Element | null = focused, depth = 0; element !== null && depth < 5; depth++) {
    if (isRingPainted(element)) return undefined;
    element = element.parentElement;
  }
  return `${focused.outerHTML.slice(0, 200)} in ${focused.parentElement?.className.slice(0, 80)}`;

  /** Links that cover a box draw the ring around it, by a pseudo-element that fills the nearest positioned box. */
  function isRingPainted(element: Element): boolean {
    const covered = element instanceof HTMLElement ? element.offsetParent : null;
    if (isOutlinePainted(getComputedStyle(element), element)) return true;
    return covered !== null && isOutlinePainted(getComputedStyle(element, "::after"), covered);
  }

  function isOutlinePainted(style: CSSStyleDeclaration, element: Element): boolean {
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = style;
    const width = Number.parseFloat(outlineWidth);
    if (outlineStyle === "none" || width < 2 || /transparent|, 0\)|\/ 0\)/.test(outlineColor)) return false;
    const reach = width + Number.parseFloat(outlineOffset);
    const box = element.getBoundingClientRect();
    for (
      let outer = element.parentElement;
      outer !== null && outer !== document.body;
      outer = outer.parentElement
    ) {
      if (getComputedStyle(outer).overflow === "visible") continue;
      const clip = outer.getBoundingClientRect();
      const hidden = [
        clip.left - box.left,
        box.right - clip.right,
        clip.top - box.top,
        box.bottom - clip.bottom,
      ];
      if (hidden.some((distance) => distance + reach > 1)) return false;
    }
    return true;
  }
}

/** Takes a screenshot if `PLATFORM_SCREENSHOTS=<folder>` is set. */
export async function saveScreenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  const folder = process.env.PLATFORM_SCREENSHOTS;
  if (folder === undefined) return;
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
  await page.screenshot({ path: path.join(folder, file), fullPage });
}

/** The same in both themes, on a desktop and a phone. */
export async function saveLooks(page: Page, name: string): Promise<void> {
  if (process.env.PLATFORM_SCREENSHOTS === undefined) return;
  const size = page.viewportSize();
  for (const { width, colorScheme } of VARIANTS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await saveScreenshot(page, `${name} ${width} ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (size !== null) await page.setViewportSize(size);
}

/** Errors of the page and its console, except the 404s that a spec requests. */
export function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const isExpected =
      message.text().includes("404") &&
      /nothing-here|00000000-0000|invitations\/A+$/.test(message.location().url);
    if (message.type() === "error" && !isExpected)
      errors.push(`${page.url()}: ${message.text()} (${message.location().url})`);
  });
  return errors;
}
