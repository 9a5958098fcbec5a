/**
 * Measures the manifest editor of the built app in Chromium: a manifest at its limit and one of three settings take turns.
 * It measures the time until the editor is interactive with an empty browser cache, the longest task while typing, and the
 * frames during a drag.
 * `PLATFORM_TRACE=<folder>` saves a browser trace of the last round.
 */

import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { storeDraft } from "@/e2e/editor";
import { signInAs } from "@/e2e/fixtures";
import { startPlatform, waitForDemo } from "@/e2e/start-platform";
import config from "@/playwright.config";

const ROUNDS = 5;
const TYPED = "a title that is long enough to be measured, typed at a brisk speed";

interface Measured {
  tasks: { at: number; duration: number }[];
  keys: number[];
  /** Milliseconds since the navigation started; 0 until the editor is interactive. */
  interactive: number;
}

declare global {
  interface Window {
    measured: Measured;
  }
}

interface Round {
  interactive: number;
  firstKeyLongestTask: number;
  typingLongestTask: number;
  /** From the key to the next frame, in ms; 0 if each took less than 16 ms. */
  slowestKey: number;
  dragFrame: number;
  /** Percent of frames that were a whole frame late. */
  dragSlowFrames: number;
  dragLongestTask: number;
}

const platform = await startPlatform("process");
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await waitForDemo(platform);
  const results = { limit: [] as Round[], small: [] as Round[] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, text] of [
      ["limit", limitManifest()],
      ["small", smallManifest()],
    ] as const) {
      const trace = round === ROUNDS && name === "limit" ? process.env.PLATFORM_TRACE : undefined;
      const result = await measure(browser, text, trace);
      results[name].push(result);
      console.log(`round ${round} ${name}`, result);
    }
  }
  for (const [member, unit] of [
    ["interactive", "ms"],
    ["firstKeyLongestTask", "ms"],
    ["typingLongestTask", "ms"],
    ["slowestKey", "ms"],
    ["dragFrame", "ms"],
    ["dragSlowFrames", "percent"],
    ["dragLongestTask", "ms"],
  ] as const) {
    const [limit, small] = [results.limit, results.small].map((rounds) =>
      median(rounds.map((one) => one[member])),
    );
    const name = `editor_${member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    console.log(`figure ${name} ${limit?.toFixed(1)} ${unit}`);
    console.log(`figure ${name}_small ${small?.toFixed(1)} ${unit}`);
  }
} finally {
  await browser.close();
  await platform.stop();
}

async function measure(browser: Browser, text: string, trace: string | undefined): Promise<Round> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await storeDraft(platform, page, "vin-autofill", text);
  // tsx names functions with a helper that pages do not have.
  await page.addInitScript("globalThis.__name = (value) => value");
  await page.addInitScript(() => {
    const state: Measured = { tasks: [], keys: [], interactive: 0 };
    window.measured = state;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) state.tasks.push({ at: startTime, duration });
    }).observe({ type: "longtask", buffered: true });
    const keys = { type: "event", buffered: true, durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "keydown") state.keys.push(entry.duration);
    }).observe(keys);
    // React marks the elements that it answers for.
    const check = () => {
      const list = document.querySelector('[role="tablist"]');
      const isHydrated = list !== null && Object.keys(list).some((key) => key.startsWith("__reactFiber"));
      if (isHydrated) state.interactive = performance.now();
      else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
  if (trace !== undefined) await browser.startTracing(page, { path: path.join(trace, "editor.json") });
  await page.goto(`${platform.webUrl}/publish/vin-autofill/manifest`);
  await page.waitForFunction(() => window.measured.interactive > 0);
  const interactive = await page.evaluate(() => window.measured.interactive);
  await page.waitForTimeout(1_000);

  const title = page.getByLabel("Title", { exact: true });
  await title.click();
  await page.waitForTimeout(500);
  // The first key after a mouse press does more than the next ones: every row that can be dragged renders again.
  const beforeFirstKey = await page.evaluate(() => performance.now());
  await title.press("End");
  await page.waitForTimeout(500);
  const firstKeyLongestTask = await longestTask(page, beforeFirstKey);
  const beforeTyping = await page.evaluate(() => performance.now());
  await page.keyboard.type(TYPED, { delay: 60 });
  await page.waitForTimeout(1_500);
  const typingLongestTask = await longestTask(page, beforeTyping);
  if (!(await title.inputValue()).endsWith(TYPED)) throw new Error("The typed text is missing.");
  const slowestKey = Math.max(0, ...(await page.evaluate(() => window.measured.keys)));

  const beforeDrag = await page.evaluate(() => performance.now());
  const frames = await drag(page);
  const dragLongestTask = await longestTask(page, beforeDrag);
  if (trace !== undefined) await browser.stopTracing();
  await context.close();
  return {
    interactive,
    firstKeyLongestTask,
    typingLongestTask,
    slowestKey,
    dragFrame: median(frames),
    dragSlowFrames: (100 * frames.filter((frame) => frame > 25).length) / frames.length,
    dragLongestTask,
  };
}

/** Drags the first setting down the list. Resolves with the time of each frame. */
async function drag(page: Page): Promise<number[]> {
  const handle = page.getByRole("button", { name: /^Drag / }).first();
  const box = await handle.boundingBox();
  if (box === null) throw new Error("There is nothing to drag.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 4, y + 8, { steps: 4 });
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        const started = performance.now();
        const frame = (time: number) => {
          times.push(time);
          if (time - started < 2_000) requestAnimationFrame(frame);
          else resolve(times.slice(1).map((at, index) => at - (times[index] ?? at)));
        };
        requestAnimationFrame(frame);
      }),
  );
  for (let step = 0; step < 100; step += 1) {
    await page.mouse.move(x + 4, y + 8 + ((step * 5) % 400));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  return frames;
}

function longestTask(page: Page, since: number): Promise<number> {
  return page.evaluate(
    (from) =>
      Math.max(0, ...window.measured.tasks.filter(({ at }) => at >= from).map(({ duration }) => duration)),
    since,
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The largest possible manifest: 100 settings of 200 values each, one value a line, just under 1 MiB of text. */
function limitManifest(): string {
  return createManifest(100, 200);
}

/** The size of a typical app's manifest. */
function smallManifest(): string {
  return createManifest(3, 5);
}

function createManifest(settings: number, values: number): string {
  const fields = Array.from({ length: settings }, (_, at) => ({
    name: `setting${at + 1}`,
    title: `Setting ${at + 1}`,
    type: "Select",
    hint: "Where the customer finds it",
    required: at % 2 === 0,
    values: Array.from({ length: values }, (_, of) => ({ text: `Choice ${of + 1}`, value: `c${of + 1}` })),
  }));
  const text = JSON.stringify({ name: "acme/vin-autofill", version: "1.0.0", app: { fields } });
  return `${text.replaceAll(/([[,])\{/g, "$1\n      {")}\n`;
}
