import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { DeliveryView } from "@/lib/contract/calls/call-summary";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleAttempt, sampleCall } from "@/tests/samples/calls";
import { sampleInstallation } from "@/tests/samples/installations";
import { CallConsole } from "../calls-tab";

const id = (number: number) => `6f1b2c34-0000-4000-8000-0000000003${String(number).padStart(2, "0")}`;
const installation = sampleInstallation();
const url = `/api/installations/${installation.id}`;
const webhook = installation.routes[0]?.routeId ?? "";

const own = { routeId: webhook, path: "/events", installationId: installation.id, title: installation.title };
const other = { routeId: id(1), path: "/letters", installationId: id(2), title: "Policy letters" };
const sent = { sent: "event", eventId: id(3), deliveries: 2, deliveryId: id(4) };
const failed = sampleAttempt({ id: id(5), kind: "webhook", target: "POST /events", status: 500, test: true });
const delivery: DeliveryView = {
  id: id(4),
  createdAt: new Date().toISOString(),
  state: "PENDING",
  attemptCount: 1,
  attemptsInAll: 1,
  nextAttemptAt: new Date(Date.now() + 5 * 60_000).toISOString(),
  attempts: [{ ...failed, failure: "It returned 500." }],
};
const detail = sampleCall({
  ...failed,
  routeId: webhook,
  failure: "It returned 500.",
  fault: "app-response-status",
  eventType: "policy.issued",
  payload: '{"type":"policy.issued"}',
  payloadBytes: 24,
  answer: "",
  answerBytes: 0,
});

const products = [
  { name: "Private Motor", data: { car: { chassisNumber: "YV1", color: "red" } }, given: true },
  { name: "Boat", data: { hull: { length: 9 } }, given: true },
];
const BASE = { [`GET ${url}/samples`]: { products }, [`GET ${url}/sent-calls`]: { calls: [] } };

/** `answers` may be changed later. */
function openConsole(changed: Partial<InstallationView>, answers: Record<string, unknown>, path = "/") {
  Object.assign(answers, { ...BASE, ...answers });
  return renderPage(<CallConsole installation={sampleInstallation(changed)} role="owner" />, {
    path,
    answers,
  });
}
beforeEach(() => sessionStorage.clear());
const editor = (name = "Event") => page.getByRole("textbox", { name });
/** Replaces the editor's text. */
async function write(text: string, name?: string) {
  await editor(name).click();
  await userEvent.keyboard("{Control>}a{/Control}{Delete}");
  await userEvent.keyboard(text.replaceAll(/[{[]/g, "$&$&"));
}
async function choose(field: string, option: string) {
  await page.getByRole("button", { name: new RegExp(field) }).click();
  await page.getByRole("option", { name: option }).click();
}
const sendButton = () => page.getByRole("button", { name: "Send test call" });

// Guarantee: nobody sends an event to running apps without seeing which ones it reaches. The verdict is one.
test("an event from a production console lists its recipients, and shows one result that updates", async () => {
  const answers: Record<string, unknown> = {
    [`GET ${url}/recipients?event=policy.issued`]: {
      recipients: [
        { ...own, test: false },
        { ...other, test: true },
      ],
    },
    [`GET /api/deliveries/${id(4)}`]: delivery,
    [`GET /api/calls/${id(5)}`]: detail,
  };
  await openConsole({}, answers);
  expect(sendButton().elements()).toEqual([]);
  await page.getByRole("button", { name: "Open console" }).click();
  await sendButton().click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog).toHaveTextContent("Send this event to 2 apps of Production?");
  await expect.element(dialog).toHaveTextContent("Policy letters");
  await checkAppearance("console, whom an event reaches");
  // Only now is there an answer to the call.
  answers[`POST ${url}/calls`] = sent;
  await dialog.getByRole("button", { name: "Send to 2 apps" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect.element(result).toHaveTextContent("Not delivered yet");
  await expect.element(result).toHaveTextContent("The next attempt is due in");
  await expect.element(result).toHaveTextContent("Responded with 500");
  await expect
    .element(result.getByRole("link", { name: "Open this call" }))
    .toHaveAttribute("href", `/calls/${id(5)}`);
  await expect.element(result).not.toHaveTextContent(/accepted/i);
  await checkAppearance("console, a failed delivery");
  answers[`GET /api/deliveries/${id(4)}`] = { ...delivery, state: "DELIVERED" };
  await expect.element(result).toHaveTextContent("Delivered");
  await expect.element(result).not.toHaveTextContent("Not delivered yet");
});

test("an event that only reaches Test Launches is sent at once", async () => {
  await openConsole(
    { test: true },
    {
      [`GET ${url}/recipients?event=policy.issued`]: { recipients: [{ ...own, test: true }] },
      [`POST ${url}/calls`]: { ...sent, deliveries: 1 },
      [`GET /api/deliveries/${id(4)}`]: { ...delivery, attemptCount: 0, attempts: [] },
    },
  );
  await sendButton().click();
  await expect
    .element(page.getByRole("region", { name: "Result" }))
    .toHaveTextContent("Waiting for delivery");
  expect(page.getByRole("alertdialog").elements()).toEqual([]);
});

test("the console of a trial says that its events reach no other app", async () => {
  await openConsole({ test: true, trialEndsAt: new Date(Date.now() + 3_600_000).toISOString() }, {});
  await expect.element(page.getByText("no other app gets the events of a trial")).toBeVisible();
});

// Guarantee: testing an app starts from the tenant's own data, and nobody types an event type from memory.
test("events and operations that the manifest declares are offered, with payloads of the tenant's products", async () => {
  await openConsole({ test: true }, {});
  await expect.element(editor()).toHaveTextContent('"type": "policy.issued"');
  await expect.element(editor()).toHaveTextContent('"chassisNumber": "YV1"');
  await checkAppearance("console, open");
  await choose("Event type", "policy.cancelled");
  await expect.element(editor()).toHaveTextContent('"cancellationDate"');
  await choose("Route", "Autofill /autofill");
  await expect.element(editor("Payload")).toHaveTextContent('"operation": "newBusiness.create"');
  await choose("Product", "Boat");
  await expect.element(editor("Payload")).toHaveTextContent('"length": 9');
});

// Guarantee: nothing that was typed is lost by looking at something else.
test("typed text is kept when the route changes and when the page is left, until it is reset", async () => {
  const { unmount } = await openConsole({ test: true }, {});
  await write('{"type":"policy.issued","data":"typed"}');
  await choose("Route", "Autofill /autofill");
  await expect.element(editor("Payload")).toHaveTextContent('"operation"');
  await choose("Route", "Webhook /events");
  await expect.element(editor()).toHaveTextContent('"data":"typed"');
  await unmount();
  await openConsole({ test: true }, {});
  await expect.element(editor()).toHaveTextContent('"data":"typed"');
  await page.getByRole("button", { name: "Reset" }).click();
  await expect.element(editor()).toHaveTextContent('"chassisNumber": "YV1"');
});

test("text that is not JSON is refused with its place; a hint blocks nothing, and Ctrl+Enter sends", async () => {
  const answers: Record<string, unknown> = {};
  await openConsole({ test: true }, answers);
  await choose("Route", "Autofill /autofill");
  await write('{"operation":', "Payload");
  await sendButton().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(/Not sent: this is not valid JSON.*Line 1/);
  await checkAppearance("console, refused");
  await write('{"operation":"renewal"}', "Payload");
  await expect.element(page.getByText(/only accepts these operations: newBusiness/)).toBeVisible();
  answers[`POST ${url}/calls`] = { sent: "call", attemptId: id(5) };
  answers[`GET /api/calls/${id(5)}`] = sampleCall({ id: id(5) });
  await editor("Payload").click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect
    .element(page.getByRole("region", { name: "Result" }))
    .toHaveTextContent(/Responded with 200.*Volvo/);
  await checkAppearance("console, result of a call");
});

const sentBefore = {
  id: id(6),
  routeId: installation.routes[1]?.routeId,
  kind: "autofill",
  startedAt: failed.startedAt,
  durationMs: 12,
  status: 200,
  failure: null,
  eventType: "newBusiness.quote",
};

test("a call that was sent before is loaded with its payload", async () => {
  await openConsole(
    { test: true },
    {
      [`GET ${url}/sent-calls`]: { calls: [sentBefore], more: false },
      [`GET /api/calls/${id(6)}`]: sampleCall({
        ...sentBefore,
        kind: "autofill",
        payload: '{"operation":"newBusiness.quote","vin":"sent before"}',
        payloadBytes: 53,
      }),
    },
  );
  await page.getByRole("button", { name: "Load Autofill newBusiness.quote" }).click();
  await expect.element(editor("Payload")).toHaveTextContent('"vin": "sent before"');
  await expect
    .element(page.getByRole("button", { name: /Operation/ }))
    .toHaveTextContent("newBusiness.quote");
  await checkAppearance("console, sent before");
});

test("a link from a call opens the console with its payload, or says that it was not recorded in full, or that it has marks", async () => {
  const answers: Record<string, unknown> = { [`GET /api/calls/${id(5)}`]: detail };
  const { unmount } = await openConsole(
    {},
    answers,
    `/installations/${installation.id}/calls?again=${id(5)}`,
  );
  await expect.element(editor()).toHaveTextContent('{ "type": "policy.issued"}');
  await unmount();
  const cut = { ...detail, payload: '{"type":"policy.iss…' };
  const { unmount: unmountCut } = await openConsole(
    {},
    { [`GET /api/calls/${id(5)}`]: cut },
    `/?again=${id(5)}`,
  );
  await expect.element(page.getByText("The payload of that call was not recorded in full")).toBeVisible();
  await unmountCut();
  const marked = { ...detail, payload: '{"type":"policy.issued","pin":"[secret: pin]"}', payloadBytes: 40 };
  await openConsole({}, { [`GET /api/calls/${id(5)}`]: marked }, `/?again=${id(5)}`);
  await expect.element(page.getByText(/Line 3: \[secret: pin\] is in place of a value/)).toBeVisible();
});
