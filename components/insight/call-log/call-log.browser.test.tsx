import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { AvailabilityProvider } from "@/components/platform/availability";
import type { CallPage, CallRow } from "@/lib/contract/insight/call";
import type { Role } from "@/lib/contract/platform/role";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import type { Availability } from "@/lib/contract/platform/availability";
import { fakeEventSource } from "@/tests/browser/fake-event-source";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { callId, sampleCallChart, sampleCallRow, sampleDelivery } from "@/tests/samples/calls";
import { sampleInstallation } from "@/tests/samples/installations";
import { CallLog } from "./call-log";
import { RecentCallsCard } from "./recent-calls-card";

const SCOPES = {
  more: false,
  apps: [{ name: "acme/vin-autofill", title: "VIN autofill" }],
  installations: [
    {
      id: callId(90),
      app: "acme/vin-autofill",
      title: "VIN autofill",
      tenant: "Production",
      test: false,
      trial: false,
    },
    {
      id: callId(91),
      app: "acme/vin-autofill",
      title: "VIN autofill",
      tenant: "Sandbox",
      test: true,
      trial: false,
    },
  ],
  routes: [{ kind: "autofill" as const, path: "/autofill" }],
};

const now = Date.now();
const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();
const webhook = { kind: "webhook", target: "POST /events", eventType: "policy.issued" } as const;
const failed = { ...webhook, status: 500, failure: "It returned 500. The app said: database is locked" };

const ROWS: CallRow[] = [
  sampleCallRow({ id: callId(9), at: ago(2), durationMs: null, status: null }),
  sampleCallRow({ id: callId(8), at: ago(9), test: true }),
  sampleCallRow({
    id: callId(7),
    at: ago(70),
    kind: "rater",
    target: "POST /rate",
    eventType: null,
    durationMs: 1_240,
  }),
  sampleCallRow({
    id: callId(6),
    at: ago(300),
    ...failed,
    delivery: sampleDelivery({ state: "PENDING", attemptCount: 2 }),
  }),
  sampleCallRow({ id: callId(5), at: ago(400), ...failed, delivery: sampleDelivery({ state: "DELIVERED" }) }),
  sampleCallRow({
    id: callId(4),
    at: ago(4_000),
    ...failed,
    status: null,
    failure: "It didn't answer within 30 s.",
    durationMs: 30_000,
    delivery: sampleDelivery(),
  }),
  sampleCallRow({
    id: callId(3),
    at: ago(9_000),
    kind: "lifecycle",
    target: "GET /_app/start?route=https%3A%2F%2Fgateway",
    eventType: null,
    dueAt: ago(9_720),
    heldBy: "NOT_RUNNING",
  }),
  sampleCallRow({
    id: callId(2),
    at: ago(90_000),
    kind: "endpoint",
    target: `GET /documents/${"long-".repeat(30)}`,
    eventType: null,
    status: 204,
  }),
];

interface Opened {
  path?: string;
  role?: Role;
  answers?: Record<string, unknown>;
  first?: CallPage;
  /** Whose page it is. */
  organization?: string;
  away?: Availability;
}

async function openLog({
  path = "/calls",
  role = "owner",
  answers = {},
  first,
  organization,
  away,
}: Opened = {}) {
  const stream = fakeEventSource();
  const all = { "GET /api/calls/chart": sampleCallChart(), ...answers };
  const screen = await renderPage(
    <AvailabilityProvider initial={away}>
      {organization !== undefined && <meta name={ORGANIZATION_HEADER} content={organization} />}
      <CallLog
        role={role}
        scopes={SCOPES}
        first={first === undefined ? undefined : { page: first, filter: {} }}
      />
    </AvailabilityProvider>,
    { path, answers: all },
  );
  return { stream, answers: all, screen };
}

const list = page.getByRole("list", { name: "Calls", exact: true });
const rows = () => list.getByRole("listitem").elements().length;

test("every kind of call and outcome reads on its own", async () => {
  await openLog({ first: { calls: ROWS, position: "1.1:1:" } });
  await expect.poll(rows).toBe(ROWS.length);
  await expect.element(list).toHaveTextContent("In progress");
  await expect.element(list).toHaveTextContent(/Retry due in \d minutes/);
  await expect.element(list).toHaveTextContent("Dead after 10 attempts");
  await expect.element(list).toHaveTextContent("Delivered later");
  await expect.element(list).toHaveTextContent("Waited 12 minutes");
  await expect.element(list).not.toHaveTextContent("route=");
  await expect
    .element(list.getByRole("link", { name: /External rater: POST \/rate/ }))
    .toHaveAttribute("href", `/calls/${callId(7)}`);
  await expect.element(page.getByText("1,920")).toBeVisible();
  await expect.poll(() => document.querySelectorAll("figure canvas").length).toBe(1);
  await checkAppearance("calls, all outcomes");
});

// Guarantee: the list does not end at its first page, its filter is in the URL, and Back undoes a filter.
test("filters and pages", async () => {
  const failures = `GET /api/calls?state=failed`;
  await openLog({
    first: { calls: ROWS.slice(0, 3), next: callId(7), position: "1.1:1:" },
    answers: {
      [`GET /api/calls?before=${callId(7)}`]: { calls: ROWS.slice(3) },
      [failures]: { calls: ROWS.slice(3, 6), position: "1.1:1:" },
      [`${failures}&kind=webhook`]: { calls: [], position: "1.1:1:" },
      [`${failures}&kind=webhook&q=locked`]: { calls: [], next: callId(1), searchedTo: ago(90_000) },
      "GET /api/calls/chart?kind=webhook": sampleCallChart(),
    },
  });
  await page.getByRole("button", { name: "Load older" }).click();
  await expect.poll(rows).toBe(ROWS.length);
  await page.getByRole("button", { name: "Failed", exact: true }).click();
  await expect.poll(rows).toBe(3);
  expect(location.search).toBe("?state=failed");
  await page.getByRole("button", { name: "Kind", exact: false }).first().click();
  await page.getByRole("option", { name: "Webhook" }).click();
  await expect.element(page.getByText("No calls match these filters.")).toBeVisible();
  expect(location.search).toBe("?state=failed&kind=webhook");
  await checkAppearance("calls, no match");
  await page.getByRole("searchbox", { name: "Search targets and failures" }).fill("locked");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(/Searched the calls since/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Search older calls" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(rows).toBeGreaterThan(2);
  expect(location.search).toBe("");
});

// Guarantee: nothing moves under a reader. New calls wait behind a button, and a call in progress changes in its place.
test("live calls", async () => {
  const { stream } = await openLog({ first: { calls: ROWS, position: "5.7:7:" } });
  await expect.poll(() => stream.last()?.url).toBe("/api/calls/stream?after=5.7%3A7%3A");
  const send = (id: string, calls: CallRow[]) =>
    stream.last()?.send("changes", id, { calls, gone: [], more: false });
  await page.getByRole("heading", { name: "Calls" }).hover();
  send("6.8:8:", [sampleCallRow({ id: callId(11), at: ago(0), target: "POST /first" })]);
  await expect.poll(() => list.getByRole("listitem").first().element().textContent).toContain("/first");
  await expect.element(page.getByText("Live", { exact: true })).toBeVisible();
  await list.getByRole("listitem").nth(3).hover();
  send("7.9:9:", [
    sampleCallRow({ id: callId(12), at: ago(0), target: "POST /second" }),
    sampleCallRow({ id: callId(9), at: ago(2), status: 201 }),
  ]);
  await expect.element(page.getByRole("button", { name: "1 new call" })).toBeVisible();
  await expect.element(list).toHaveTextContent("201");
  expect(list.element().textContent).not.toContain("/second");
  await checkAppearance("calls, new ones wait");
  await page.getByRole("button", { name: "1 new call" }).click();
  await expect.poll(() => list.getByRole("listitem").first().element().textContent).toContain("/second");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.element(page.getByText("Paused", { exact: true })).toBeVisible();
  expect(stream.last()).toBeUndefined();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => stream.last()?.url).toBe("/api/calls/stream?after=7.9%3A9%3A");
  stream.last()?.fail({ forGood: true });
  await expect.element(page.getByText("Not connected")).toBeVisible();
});

// Guarantee: no list says that it is live while what would change it hangs.
test("the list doesn't say that it is live while the gateway, which takes the calls, is away", async () => {
  const away = [{ part: "gateway" as const, since: null }];
  const { stream } = await openLog({
    first: { calls: ROWS, position: "5.7:7:" },
    answers: { "GET /api/availability": { away } },
    away: { away },
  });
  await expect.poll(() => stream.last()).toBeDefined();
  stream.last()?.send("beat", "5.8:8:");
  await expect.element(page.getByText("Not updating")).toBeVisible();
  await expect.element(page.getByText("Live", { exact: true })).not.toBeInTheDocument();
});

// Guarantee: after a switch in another tab, the page keeps its own organization: links and streams send no header.
test("the stream and the downloads name the page's organization", async () => {
  const { stream } = await openLog({ organization: "acme", first: { calls: ROWS, position: "5.7:7:" } });
  await expect.poll(() => stream.last()?.url).toBe("/api/calls/stream?after=5.7%3A7%3A&organization=acme");
  await expect
    .element(page.getByRole("link", { name: "Download these calls as CSV" }))
    .toHaveAttribute("href", "/api/calls/export?format=csv&organization=acme");
});

test("what was fetched for one organization isn't shown on a page of another one", async () => {
  const { screen, answers } = await openLog({
    organization: "acme",
    answers: { "GET /api/calls": { calls: ROWS, position: "5.7:7:" } },
  });
  await expect.poll(rows).toBe(ROWS.length);
  Object.assign(answers, { "GET /api/calls": { calls: ROWS.slice(0, 1), position: "5.7:7:" } });
  for (let drawing = 0; drawing < 2; drawing += 1)
    await screen.rerender(
      <>
        <meta name={ORGANIZATION_HEADER} content="bolt" />
        <CallLog role="owner" scopes={SCOPES} />
      </>,
    );
  await expect.poll(rows).toBe(1);
});

// Guarantee: before anything is sent again, the dialog says how many.
test("dead deliveries are replayed: a selection, or all that the filter shows", async () => {
  const dead = [1, 2, 3].map((number) =>
    sampleCallRow({
      ...failed,
      id: callId(number),
      at: ago(number * 900),
      delivery: sampleDelivery({ id: callId(number) }),
    }),
  );
  const { answers } = await openLog({
    path: "/calls?state=dead",
    answers: {
      "GET /api/calls?state=dead": { calls: dead, total: 1_204 },
      "POST /api/deliveries/replay": { replayed: 2, skipped: 0, more: false },
    },
  });
  await expect.poll(rows).toBe(3);
  await checkAppearance("calls, dead deliveries");
  await list.getByRole("checkbox").nth(0).click({ force: true });
  await list.getByRole("checkbox").nth(1).click({ force: true });
  await page.getByRole("button", { name: "Replay selected" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog).toHaveTextContent("Replay 2 dead deliveries?");
  await checkAppearance("calls, replay asks");
  await dialog.getByRole("button", { name: "Replay 2 deliveries" }).click();
  await expect.element(page.getByText("Replaying 2 deliveries.")).toBeVisible();
  Object.assign(answers, { "GET /api/calls?state=dead": { calls: [], total: 0 } });
  await page.getByRole("button", { name: "Replay all 1,204" }).click();
  await expect.element(dialog).toHaveTextContent("Replay 1,204 dead deliveries?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("a publisher sees dead deliveries of production apps, without a way to replay them", async () => {
  const dead = sampleCallRow({ ...failed, delivery: sampleDelivery() });
  await openLog({
    path: "/calls?state=dead",
    role: "publisher",
    answers: { "GET /api/calls?state=dead": { calls: [dead], total: 1 } },
  });
  await expect.poll(rows).toBe(1);
  expect(page.getByRole("button", { name: /Replay/ }).elements()).toEqual([]);
  expect(page.getByRole("checkbox").elements()).toEqual([]);
});

test("the chart has a table whose times select a range, and routes narrow the list", async () => {
  await openLog({
    first: { calls: ROWS, position: "1.1:1:" },
    answers: { "GET /api/calls/chart?kind=rater&path=%2Frate": sampleCallChart() },
  });
  for (const name of ["Error rate", "Latency", "p95 by route"]) {
    await page.getByRole("button", { name }).click();
    await expect.element(page.getByRole("figure", { name })).toBeVisible();
    await checkAppearance(`calls, chart of ${name}`);
  }
  await page.getByRole("button", { name: /\/rate/ }).click();
  expect(location.search).toBe("?kind=rater&path=%2Frate");
  await page.getByRole("button", { name: "Show table" }).click();
  const table = page.getByRole("table", { name: "Calls over time" });
  await expect.element(table).toHaveTextContent("Error rate");
  await checkAppearance("calls, chart as a table");
  await table.getByRole("button").first().click();
  expect(new URLSearchParams(location.search).get("from")).toBe("2026-11-20T23:30:00.000Z");
  expect(new URLSearchParams(location.search).get("to")).toBe("2026-11-21T00:00:00.000Z");
});

test("no calls yet, and a list that can't be read", async () => {
  const nothing = {
    ...sampleCallChart(),
    total: { calls: 0, failed: 0, p50: null, p95: null },
    points: [],
    routes: [],
  };
  await openLog({ first: { calls: [], position: "1.1:1:" }, answers: { "GET /api/calls/chart": nothing } });
  await expect.element(page.getByText("No calls yet")).toBeVisible();
  // Nothing to count or to download. The filters stay, because deliveries may wait before the first call.
  await expect.element(page.getByRole("heading", { name: "Activity" })).not.toBeInTheDocument();
  await expect.element(page.getByText("CSV")).not.toBeInTheDocument();
  await checkAppearance("calls, none yet");
  await page.getByRole("button", { name: "Dead", exact: true }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
});

// Guarantee: nobody has to guess why an event has not arrived.
test("deliveries that wait say since when and why", async () => {
  const installation = sampleInstallation({ state: "STOPPED", instance: null });
  const pending = {
    waiting: 3,
    waitingSince: new Date(Date.now() - 330_000).toISOString(),
    retrying: 0,
    nextRetryAt: null,
  };
  await renderPage(<RecentCallsCard installation={installation} />, {
    answers: { [`GET /api/calls?installation=${installation.id}`]: { calls: ROWS.slice(0, 2), pending } },
  });
  await expect.element(page.getByText("3 deliveries are waiting")).toBeVisible();
  await expect
    .element(page.getByText(/The installation isn't running.* The oldest was due 5 minutes ago/))
    .toBeVisible();
  await checkAppearance("recent calls, deliveries wait");
});
