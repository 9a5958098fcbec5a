import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { CallView } from "@/lib/contract/insight/call";
import type { Role } from "@/lib/contract/platform/role";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleAttempt, sampleCall } from "@/tests/samples/calls";
import { CallPage } from "./call-page";

const id = (number: number) => `6f1b2c34-0000-4000-8000-0000000004${String(number).padStart(2, "0")}`;
const NONE = { stateReads: 0, stateReadAt: null, stateLastReadAt: null, stateRevision: null };

/** Returns the answers of the platform, which a test may change. */
async function show(changed: Partial<CallView> = {}, role: Role = "owner") {
  const call = sampleCall(changed);
  const answers: Record<string, unknown> = { [`GET /api/calls/${call.id}`]: call };
  await renderPage(<CallPage initial={call} role={role} />, { path: `/calls/${call.id}`, answers });
  return { call, answers };
}

const timeline = () => page.getByRole("list", { name: "Timeline" });

test("a call that succeeded shows its steps, its latency, and both bodies", async () => {
  await show({ queueMs: 22, test: true });
  await expect
    .element(timeline())
    .toHaveTextContent(/Queued.*Sent to the app.*read its state once.*Responded with 200/);
  await expect.element(page.getByText("12 ms after it was sent.")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "answer" })).toHaveTextContent("Volvo");
  await expect.element(page.getByRole("region", { name: "request" })).toHaveTextContent("YV1");
  await expect.element(page.getByText("390 ms")).toBeVisible();
  const again = page.getByRole("link", { name: "Edit and send again" });
  await expect.element(again).toHaveAttribute("href", expect.stringMatching(/\/calls\?again=.*#console$/));
  await expect.element(page.getByText(/^Times are in .*UTC/)).toBeVisible();
  await checkAppearance("call, succeeded");
});

// Guarantee: the page of a call in progress is never out of date by more than a moment.
test("a call in progress updates itself", async () => {
  const open = {
    durationMs: null,
    endedAt: null,
    status: null,
    answer: null,
    answerBytes: null,
    platformMs: null,
  };
  const { call, answers } = await show({ ...open, ...NONE, startedAt: new Date().toISOString() });
  await expect.element(timeline()).toHaveTextContent("The app hasn't responded yet");
  await checkAppearance("call, in progress");
  answers[`GET /api/calls/${call.id}`] = sampleCall();
  await expect.element(timeline()).toHaveTextContent("Responded with 200 after 364 ms");
  await expect.element(page.getByRole("region", { name: "answer" })).toHaveTextContent("Volvo");
});

const failed = { status: 500, failure: "It returned 500.", kind: "webhook", target: "POST /events" } as const;
const attempt = (number: number, minutes: number) =>
  sampleAttempt({
    id: id(number),
    ...failed,
    startedAt: new Date(Date.now() - minutes * 60_000).toISOString(),
  });
const delivery: NonNullable<CallView["delivery"]> = {
  id: id(1),
  state: "PENDING",
  attemptCount: 2,
  attemptsInAll: 2,
  nextAttemptAt: new Date(Date.now() + 5 * 60_000).toISOString(),
  createdAt: new Date(Date.now() - 60_000).toISOString(),
  attempts: [attempt(12, 2), attempt(11, 3)],
};
const event: NonNullable<CallView["event"]> = {
  id: id(2),
  coreId: "evt-2026-0001",
  type: "policy.issued",
  receivedAt: new Date(Date.now() - 3 * 60_000).toISOString(),
  test: false,
  deliveriesInAll: 2,
  deliveries: [
    {
      id: id(1),
      state: "PENDING",
      installationId: id(5),
      title: "Telematics rater",
      path: "/events",
      test: false,
      trial: false,
      attemptId: id(12),
    },
    {
      id: id(3),
      state: "DELIVERED",
      installationId: id(6),
      title: "Policy letters",
      path: "/letters",
      test: true,
      trial: false,
      attemptId: id(13),
    },
  ],
};
const webhook: Partial<CallView> = {
  ...failed,
  id: id(12),
  eventType: "policy.issued",
  fault: "app-response-status",
  deliveryId: id(1),
  delivery,
  event,
  ...NONE,
  recorded: false,
  payload: null,
  payloadBytes: 1_600,
  answer: null,
  answerBytes: 12,
};

test("of many attempts and receivers, the page has the first, says how many there are, and leads to all", async () => {
  await show({
    ...webhook,
    delivery: { ...delivery, attemptsInAll: 60 },
    event: { ...event, deliveriesInAll: 120 },
  });
  const attempts = page.getByRole("list", { name: "Attempts, newest first" });
  await expect.element(attempts.getByRole("link", { name: "Attempt 59" })).toBeVisible();
  await expect.element(page.getByText("The newest 2 of 60 attempts.")).toBeVisible();
  await expect.element(page.getByText("Sent to 120 routes")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "All calls of this type" }))
    .toHaveAttribute("href", "/calls?event=policy.issued");
});

test("a delivery that failed shows its attempts, the next one, and who else gets the event", async () => {
  await show(webhook);
  await expect.element(timeline()).toHaveTextContent("This app never read its state");
  const attempts = page.getByRole("list", { name: "Attempts, newest first" });
  await expect
    .element(attempts.getByRole("link", { name: "Attempt 1" }))
    .toHaveAttribute("href", `/calls/${id(11)}`);
  await expect.element(page.getByText(/The next attempt is due in/)).toBeVisible();
  await expect
    .element(page.getByText(/the platform retries after 30 minutes, 2 hours, 5 hours, and 4 more times/))
    .toBeVisible();
  const receivers = page.getByRole("list", { name: "Deliveries of this event" });
  await expect
    .element(receivers.getByRole("link", { name: "Policy letters" }))
    .toHaveAttribute("href", `/calls/${id(13)}`);
  await checkAppearance("call, delivery that failed");
});

// Guarantee: nobody takes a body that was not recorded for an empty one, or searches for it.
test("a call that was not recorded says so, with the sizes and where to turn recording on", async () => {
  await show(webhook);
  const said = page.getByText("The bodies were not recorded (request: 1,600 bytes, response: 12 bytes).");
  await expect.element(said).toBeVisible();
  expect(page.getByText(/not recorded/).elements()).toHaveLength(1);
  const link = page.getByRole("main").getByRole("link", { name: "Settings" });
  await expect.element(link).toHaveAttribute("href", "/organization/settings");
});

test("a body that was not recorded is named beside one that was", async () => {
  await show({ ...webhook, answer: '{"ok":true}', answerBytes: 11 });
  await expect.element(page.getByText("The body was not recorded (1,600 bytes).")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Response", exact: true })).toBeVisible();
});

test("a request with redaction marks says so, and what its curl command has instead", async () => {
  await show({ payload: '{"operation":"newBusiness.create","pin":"[secret: pin]"}', payloadBytes: 48 });
  await expect.element(page.getByText(/Secrets are replaced by marks/)).toBeVisible();
  await expect.element(page.getByText(/The curl command has variables/)).toBeVisible();
});

test("a call to a trial says that it is one", async () => {
  const installation = { ...sampleCall().installation, test: true, trial: true };
  await show({ installation });
  await expect.element(page.getByText("for Production, a trial,")).toBeVisible();
  expect(page.getByText("Test Launch").elements()).toEqual([]);
});

test("an empty body is shown as empty, recorded or not", async () => {
  await show({ recorded: false, payload: null, answer: null, answerBytes: 0, status: 204 });
  await expect.element(page.getByText("The answer has an empty body.")).toBeVisible();
});

test("a hook has no address for the core, and nobody can send it again", async () => {
  await show({
    kind: "lifecycle",
    hook: "start",
    eventType: null,
    target: "GET /_app/start?route=x",
    address: null,
    payload: null,
    payloadBytes: null,
  });
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Lifecycle start");
  await expect.element(page.getByText("The request has no body.")).toBeVisible();
  expect(page.getByRole("button", { name: "Copy as curl" }).elements()).toEqual([]);
  expect(page.getByRole("link", { name: "Edit and send again" }).elements()).toEqual([]);
});

test("a publisher can't send a call of a production installation again", async () => {
  await show({}, "publisher");
  await expect.element(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  expect(page.getByRole("link", { name: "Edit and send again" }).elements()).toEqual([]);
});

// Guarantee: an app's text is shown as text, whatever it contains.
test("an answer that is not JSON, with marks that change its direction, stays text", async () => {
  const answer = 'Ahoy \u202Eevil <b>bold</b> "a": 1';
  await show({ answer, failure: "Its response is not valid JSON.", fault: "app-response-not-json" });
  const shown = page.getByRole("region", { name: "answer" });
  await expect.element(shown).toHaveTextContent('Ahoy \\u202eevil <b>bold</b> "a": 1');
  await expect.element(timeline()).toHaveTextContent("The response was rejected");
  await checkAppearance("call, answer refused");
});

// Guarantee: everyone who may read the app's log sees what it wrote during this call, without requesting it.
test("the log of the call's moment is asked for, and shown as soon as it was read", async () => {
  const call = sampleCall({ log: { state: "unread" } });
  const answers: Record<string, unknown> = {
    [`GET /api/calls/${call.id}`]: { ...call, log: { state: "waiting" } },
    [`POST /api/calls/${call.id}/log`]: new Response(null, { status: 204 }),
  };
  await renderPage(<CallPage initial={call} role="publisher" />, { answers });
  await expect.element(page.getByRole("status", { name: "Reading the log" })).toBeVisible();
  const text = "looking up YV1\n\u202Eevil\nfound Volvo\n";
  answers[`GET /api/calls/${call.id}`] = { ...call, log: { state: "read", text, cut: true } };
  const log = page.getByRole("region", { name: "Log of this call" });
  await expect.element(log).toHaveTextContent("found Volvo");
  await expect.element(log).toHaveTextContent("[U+202E]evil");
  await expect.element(page.getByText("These are the last lines of a longer log.")).toBeVisible();
  await checkAppearance("call, with its log");
});

test("a log that is gone says so, with the kept end of its instance's log", async () => {
  const tail = { at: "2026-11-20T10:05:00.000Z", text: "out of memory" };
  await show({ log: { state: "gone", tail } });
  await expect.element(page.getByText(/The log from this time is no longer available/)).toBeVisible();
  await expect
    .element(page.getByRole("group", { name: "End of the log" }))
    .toHaveTextContent("out of memory");
});

test("an app that wrote nothing is said to have been silent", async () => {
  await show({ log: { state: "read", text: "", cut: false } });
  await expect.element(page.getByText("The app wrote nothing to its log during this call.")).toBeVisible();
});

test("a dead delivery can be replayed by those who may operate the app, and by nobody else", async () => {
  const dead = { ...webhook, delivery: { ...delivery, state: "DEAD" as const } };
  const { call, answers } = await show(dead);
  answers["POST /api/deliveries/replay"] = { replayed: 1, skipped: 0, more: false };
  await page.getByRole("button", { name: "Replay" }).click();
  answers[`GET /api/calls/${call.id}`] = sampleCall(webhook);
  await page.getByRole("alertdialog").getByRole("button", { name: "Replay delivery" }).click();
  await expect.element(page.getByText(/The next attempt is due in/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Replay" })).not.toBeInTheDocument();
});

test("a publisher can't replay a delivery of a production installation", async () => {
  await show({ ...webhook, delivery: { ...delivery, state: "DEAD" } }, "publisher");
  await expect.element(page.getByText("Dead", { exact: true })).toBeVisible();
  expect(page.getByRole("button", { name: "Replay" }).elements()).toEqual([]);
});
