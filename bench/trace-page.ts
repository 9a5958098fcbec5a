/** What a visitor waits for, from the trace that Chromium itself records of one load. */
import type { Browser } from "@playwright/test";
import { z } from "zod";

const traced = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ph: z.string(),
      ts: z.number(),
      dur: z.number().optional(),
      pid: z.number(),
      tid: z.number(),
      args: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

const shift = z.object({ data: z.object({ score: z.number(), had_recent_input: z.boolean() }) });
const LONG_TASK_MICROSECONDS = 50_000;
const SETTLE_MS = 1_000;

interface Vitals {
  lcpMs: number;
  /** The sum of all layout shifts. */
  cls: number;
  /** Of the renderer's tasks over 50 ms after the first paint, what is above 50 ms. */
  blockingMs: number;
}

export async function tracePage(browser: Browser, url: string): Promise<Vitals> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await browser.startTracing(page, {
    categories: ["loading", "blink.user_timing", "devtools.timeline", "toplevel", "__metadata"],
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLE_MS);
  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  const { traceEvents } = traced.parse(JSON.parse((await browser.stopTracing()).toString("utf8")));
  await context.close();
  // Only this page paints. Its navigation may be missing in the trace: a renderer that starts while Chromium traces can lose
  // its first events. So the start is counted back from the first paint, whose time the page itself knows.
  const first = traceEvents.find(({ name }) => name === "firstContentfulPaint");
  if (first === undefined || paintedMs === undefined) throw new Error(`${url} painted nothing.`);
  const painted = first.ts;
  const started = painted - paintedMs * 1000;
  const here = traceEvents.filter(({ pid, ts }) => pid === first.pid && ts >= started);
  const largest = here
    .filter(
      ({ name, args }) => name === "largestContentfulPaint::Candidate" && args.frame === first.args.frame,
    )
    .at(-1)?.ts;
  if (largest === undefined) throw new Error(`The trace of ${url} has no largest paint.`);
  const shifts = here
    .filter(({ name }) => name === "LayoutShift")
    .map(({ args }) => shift.safeParse(args).data?.data)
    .filter((data) => data?.had_recent_input === false);
  const main = traceEvents.find(
    ({ name, pid, args }) => name === "thread_name" && pid === first.pid && args.name === "CrRendererMain",
  );
  const tasks = here.filter(
    ({ name, tid, ts }) => name === "ThreadControllerImpl::RunTask" && tid === main?.tid && ts >= painted,
  );
  if (tasks.length === 0) throw new Error(`The trace of ${url} has no tasks.`);
  return {
    lcpMs: (largest - started) / 1000,
    cls: shifts.reduce((sum, data) => sum + (data?.score ?? 0), 0),
    blockingMs: tasks.reduce((sum, { dur = 0 }) => sum + Math.max(0, dur - LONG_TASK_MICROSECONDS), 0) / 1000,
  };
}
