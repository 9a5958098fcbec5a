import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { AvailabilityProvider } from "@/components/platform/availability";
import { ZoneProvider } from "@/components/ui/zone";
import type { LogEntry, LogPage } from "@/lib/contract/insight/app-log";
import type { Availability } from "@/lib/contract/platform/availability";
import { fakeEventSource } from "@/tests/browser/fake-event-source";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { INSTANCE, OTHER_INSTANCE, sampleEvent, sampleLine } from "@/tests/samples/insight";
import { AppLog } from "./app-log";

const LISTING = { id: "019ab000-0000-7000-8000-0000000000a1", appName: "vin-autofill" };
const VERSIONS = [
  { id: "019ab000-0000-7000-8000-0000000000b2", number: "1.5.0", lastLineAt: "2026-11-20T10:05:00.000Z" },
  { id: "019ab000-0000-7000-8000-0000000000b1", number: "1.4.0", lastLineAt: null },
];
const CURRENT = VERSIONS[0]?.id ?? "";
const PATH = `/api/listings/${LISTING.id}/versions/${CURRENT}/logs`;

const INSTANCES = [
  { id: INSTANCE, startedAt: "2026-11-20T10:00:00.000Z", endedAt: null },
  { id: OTHER_INSTANCE, startedAt: "2026-11-19T10:00:00.000Z", endedAt: "2026-11-20T09:59:00.000Z" },
];

interface Opened {
  query?: string;
  answers?: Record<string, unknown>;
  first?: Partial<LogPage>;
  away?: Availability;
  /** That the reader has chosen. */
  zone?: string;
}

async function openLog({ query = "", answers = {}, first = {}, away, zone }: Opened = {}) {
  const stream = fakeEventSource();
  const shown = { entries: [], position: "5.7:7:", instances: INSTANCES, ...first };
  await renderPage(
    <AvailabilityProvider initial={away}>
      <ZoneProvider personal={zone === undefined ? undefined : { zone, chosen: true }}>
        <AppLog
          listing={LISTING}
          versions={VERSIONS}
          first={{ page: shown, versionId: CURRENT, filter: {} }}
          kept={{ days: 7, megabytes: 16 }}
        />
      </ZoneProvider>
    </AvailabilityProvider>,
    { path: `/publish/vin-autofill/logs${query}`, answers },
  );
  return { stream, answers };
}

const log = page.getByRole("log", { name: "Log lines" });
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sampleLine(from + index));
const scroller = () => log.element();
const isAtEnd = () => Math.abs(scroller().scrollHeight - scroller().clientHeight - scroller().scrollTop) < 2;

const ENTRIES: LogEntry[] = [
  sampleLine(1, { instanceId: OTHER_INSTANCE, at: "2026-11-19T10:00:00.007Z", text: "listening on 8080" }),
  sampleEvent(2, "failed", {
    instanceId: OTHER_INSTANCE,
    at: "2026-11-19T10:00:01.000Z",
    reason: "The app exited with code 1.",
  }),
  sampleEvent(3, "started"),
  sampleLine(4, { text: "listening on 8080" }),
  sampleEvent(5, "ready"),
  sampleLine(6, { level: "info", text: '{"level":"info","msg":"calls read","count":12}' }),
  sampleLine(7, { level: "debug", text: '{"level":"debug","msg":"cache is warm"}' }),
  sampleLine(8, { level: "warn", text: '{"level":"warn","msg":"slow answer","ms":2210}' }),
  sampleLine(9, { level: "error", stream: "stderr", text: '{"level":"error","msg":"rates is undefined"}' }),
  sampleLine(10, {
    stream: "stderr",
    text: "    at rate (/app/rate.js:12:9) <b>not bold</b> \u202Eelbisrever",
  }),
  sampleLine(11, { text: `calls with [secret: apiKey] ${"and more ".repeat(40)}`, cutBytes: 12_288 }),
  sampleLine(12, {
    stream: "platform",
    text: "1,204 lines dropped: the app writes more than 200 lines or 64 KiB per second.",
  }),
  sampleEvent(13, "failing", { reason: "GET /health returned 500." }),
  sampleEvent(14, "recovered"),
  sampleLine(15, { text: "" }),
  sampleLine(16, { text: "done" }),
];

test("every kind of line, mark and event reads on its own, and an app's line is inert", async () => {
  await openLog({ first: { entries: ENTRIES } });
  await expect.element(log).toHaveTextContent("rates is undefined");
  await expect.element(log).toHaveTextContent("The app exited with code 1.");
  await expect.element(log).toHaveTextContent("12,288 more bytes not stored");
  await expect.element(log).toHaveTextContent("1,204 lines dropped");
  await expect.element(log).toHaveTextContent("<b>not bold</b> [U+202E]elbisrever");
  expect(scroller().querySelector("b")).toBeNull();
  await expect.element(log).toHaveTextContent("Start of the log. Lines are kept for 7 days");
  await expect.element(log).toHaveTextContent("Thursday, November 19, 2026");
  await expect.element(log).toHaveTextContent("Friday, November 20, 2026");
  const href = page.getByRole("link", { name: "Download" });
  await expect.element(href).toHaveAttribute("href", `${PATH}/file`);
  await checkAppearance("logs, all kinds");
  await page.getByRole("button", { name: "Wrap lines" }).click();
  await checkAppearance("logs, not wrapped");
});

// Guarantee: the days of a log are the reader's, as their names are.
test.each([
  ["Asia/Kathmandu", "2026-11-20T18:14:59.000Z", "2026-11-20T18:15:01.000Z"],
  ["America/Los_Angeles", "2026-11-21T07:59:59.000Z", "2026-11-21T08:00:01.000Z"],
  ["Pacific/Auckland", "2026-11-20T10:59:59.000Z", "2026-11-20T11:00:01.000Z"],
])("a day begins with midnight in %s", async (zone, before, after) => {
  const at = [before, after].map((moment, index) => sampleLine(index, { at: moment }));
  await openLog({ zone, first: { entries: at } });
  const text = () => log.element().textContent;
  await expect.poll(text).toMatch(/Friday, November 20, 2026.*line 0.*Saturday, November 21, 2026.*line 1/s);
});

// Guarantee: no list says that it is live while nothing can reach it.
test("the log isn't live while the server is silent", { timeout: 40_000 }, async () => {
  const { stream } = await openLog({ first: { entries: many(1, 3) } });
  await expect.poll(() => stream.last()).toBeDefined();
  stream.last()?.send("beat", "5.8:8:");
  await expect.element(page.getByText("Live", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Not connected"), { timeout: 20_000 }).toBeVisible();
  // It tries again by itself.
  await expect.poll(() => stream.last()?.url, { timeout: 15_000 }).toContain("after=5.8");
  stream.last()?.send("beat", "5.9:9:");
  await expect.element(page.getByText("Live", { exact: true })).toBeVisible();
});

test("the log doesn't say that it is live while the worker, which reads it, is away", async () => {
  const away = [{ part: "worker" as const, since: null }];
  const { stream } = await openLog({
    first: { entries: many(1, 3) },
    answers: { "GET /api/availability": { away } },
    away: { away },
  });
  await expect.poll(() => stream.last()).toBeDefined();
  stream.last()?.send("beat", "5.8:8:");
  await expect.element(page.getByText("Not updating")).toBeVisible();
  await expect.element(page.getByText("Live", { exact: true })).not.toBeInTheDocument();
});

// Guarantee: the list follows the newest line, and never moves under somebody who reads older ones.
test("new lines are followed at the end, and counted elsewhere", async () => {
  const { stream } = await openLog({ first: { entries: many(1, 200) } });
  await expect.poll(() => stream.last()?.url).toBe(`${PATH}/stream?after=5.7%3A7%3A`);
  const send = (id: string, entries: LogEntry[], more = false) =>
    stream.last()?.send("changes", id, { entries, more });
  await expect.poll(isAtEnd).toBe(true);
  send("6.8:8:", many(201, 50));
  await expect.element(log).toHaveTextContent("line 250");
  await expect.poll(isAtEnd).toBe(true);
  await expect.element(page.getByText("Live", { exact: true })).toBeVisible();
  scroller().scrollTop = 2_000;
  await expect.element(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  send("7.9:9:", [...many(251, 3), sampleLine(250)]);
  await expect.element(page.getByRole("button", { name: "3 new lines" })).toBeVisible();
  expect(scroller().scrollTop).toBe(2_000);
  await checkAppearance("logs, new lines wait");
  await page.getByRole("button", { name: "3 new lines" }).click();
  await expect.element(log).toHaveTextContent("line 253");
  await expect.poll(isAtEnd).toBe(true);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.element(page.getByText("Paused", { exact: true })).toBeVisible();
  expect(stream.last()).toBeUndefined();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => stream.last()?.url).toBe(`${PATH}/stream?after=7.9%3A9%3A`);
});

test("after too many lines at once, the list begins again with the newest", async () => {
  const { stream, answers } = await openLog({ first: { entries: many(1, 200) } });
  await expect.poll(() => stream.last()).toBeDefined();
  Object.assign(answers, { [`GET ${PATH}`]: { entries: many(5_000, 200), position: "9.9:9:" } });
  stream.last()?.send("changes", "8.8:8:", { entries: [], more: true });
  await expect.element(log).toHaveTextContent("line 5199");
  await expect.poll(isAtEnd).toBe(true);
  await expect.poll(() => stream.last()?.url).toBe(`${PATH}/stream?after=9.9%3A9%3A`);
});

// Guarantee: older lines are loaded while one scrolls up, each once, and the line that is read stays where it is.
test("scrolling up loads older lines until the start", async () => {
  const next = sampleLine(401).id;
  await openLog({
    first: { entries: many(401, 200), next },
    answers: { [`GET ${PATH}?before=${next}`]: { entries: many(1, 400) } },
  });
  await expect.poll(isAtEnd).toBe(true);
  scroller().scrollTop = 300;
  await expect.poll(() => scroller().scrollHeight).toBeGreaterThan(600 * 20);
  const top = scroller().getBoundingClientRect().top;
  const visible = [...scroller().querySelectorAll("[data-index]")].filter((row) => {
    const place = row.getBoundingClientRect();
    return place.bottom > top + 2 && place.top < top + 60;
  });
  expect(visible.map((row) => row.textContent).join()).toMatch(/line 4[01]\d/);
  scroller().scrollTop = 0;
  await expect.element(log).toHaveTextContent("Start of the log");
  await expect.poll(() => scroller().textContent).toContain("stdoutline 110:00:02");
});

test("a search marks what it finds, and continues where it stopped", async () => {
  const stopped = sampleLine(30).id;
  await openLog({
    first: { entries: many(1, 20) },
    answers: {
      [`GET ${PATH}?q=RATES`]: {
        entries: [],
        next: stopped,
        searchedTo: "2026-11-20T09:00:00.000Z",
        instances: INSTANCES,
      },
      [`GET ${PATH}?q=RATES&before=${stopped}`]: { entries: [sampleLine(9, { text: "rates is undefined" })] },
      [`GET ${PATH}?level=error`]: { entries: [], instances: INSTANCES },
    },
  });
  await page.getByRole("searchbox", { name: "Search lines" }).fill("RATES");
  await userEvent.keyboard("{Enter}");
  expect(location.search).toBe("?q=RATES");
  await expect.element(page.getByText("No matches")).toBeVisible();
  await checkAppearance("logs, search stopped");
  await page.getByRole("button", { name: "Search older lines" }).click();
  await expect.poll(() => scroller().querySelector("mark")?.textContent).toBe("rates");
  await checkAppearance("logs, matches");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "Level" }).click();
  await page.getByRole("option", { name: "Error" }).click();
  await expect.element(page.getByText("No lines of this version match these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect.element(log).toHaveTextContent("line 20");
});

test("arrow keys read line by line, and Enter copies", async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
  onTestFinished(() => void vi.restoreAllMocks());
  await openLog({ first: { entries: many(1, 3) } });
  await expect.element(log).toHaveTextContent("line 3");
  page.getByRole("button", { name: "Level" }).element().focus();
  await userEvent.tab();
  expect(document.activeElement).toBe(scroller());
  expect(getComputedStyle(scroller())).toMatchObject({ outlineStyle: "solid", outlineWidth: "2px" });
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{Enter}");
  await expect.poll(() => copied).toEqual([`${sampleLine(2).at} 03f2a1 stdout - line 2`]);
  await expect.element(page.getByText("Copied")).toBeInTheDocument();
});

test("no lines yet, another version, and a log that can't be read", async () => {
  await openLog();
  await expect.element(page.getByText("No lines yet")).toBeVisible();
  await checkAppearance("logs, none yet");
  await page.getByRole("button", { name: "Version" }).click();
  await page.getByRole("option", { name: "1.4.0" }).click();
  expect(location.search).toBe("?version=1.4.0");
  await expect.element(page.getByRole("alert")).toBeVisible();
  await checkAppearance("logs, not readable");
});
