import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { DeliveryView, InstallationView } from "@/lib/contract/installation-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleAttempt } from "@/tests/sample-attempt";
import { sampleInstallation } from "@/tests/sample-installation";
import { CallConsole } from "./console";

const id = (number: number) => `6f1b2c34-0000-4000-8000-0000000003${String(number).padStart(2, "0")}`;
const installation = sampleInstallation();
const url = `/api/installations/${installation.id}`;
const webhook = installation.routes[0]?.routeId ?? "";

const own = { routeId: webhook, path: "/events", installationId: installation.id, title: installation.title };
const other = { routeId: id(1), path: "/letters", installationId: id(2), title: "Policy letters" };
const sent = { sent: "event", eventId: id(3), deliveries: 2, deliveryId: id(4) };
const failed = sampleAttempt({ id: id(5), kind: "webhook", target: "POST /events", status: 500, test: true });
const delivery: DeliveryView = {
  state: "PENDING",
  attemptCount: 1,
  nextAttemptAt: new Date(Date.now() + 5 * 60_000).toISOString(),
  attempts: [{ ...failed, failure: "It answered 500." }],
};
const detail = {
  ...failed,
  failure: "It answered 500.",
  recorded: true,
  payload: '{"type":"policy.issued"}',
  payloadBytes: 24,
  answer: "",
  answerBytes: 0,
  endedAt: failed.startedAt,
  stateReadAt: null,
  stateLastReadAt: null,
  stateRevision: null,
  stateReads: 0,
};

const openConsole = (changed: Partial<InstallationView>, answers: Record<string, unknown>) =>
  renderPage(<CallConsole installation={sampleInstallation(changed)} role="owner" />, { answers });
const sendButton = () => page.getByRole("button", { name: "Send test call" });

// Guarantee: nobody sends an event to running apps without seeing which ones it reaches. The verdict is one.
test("an event from a production console names whom it reaches, and shows one verdict that follows", async () => {
  const answers: Record<string, unknown> = {
    [`GET ${url}/recipients?event=policy.issued`]: {
      recipients: [
        { ...own, test: false },
        { ...other, test: true },
      ],
    },
    [`GET ${url}/attempts?delivery=${id(4)}`]: delivery,
    [`GET ${url}/attempts?attempt=${id(5)}`]: detail,
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
  await expect.element(result).toHaveTextContent("Delivery failed");
  await expect.element(result).toHaveTextContent("The next attempt is in");
  await expect.element(result).not.toHaveTextContent(/accepted/i);
  await checkAppearance("console, a failed delivery");
  answers[`GET ${url}/attempts?delivery=${id(4)}`] = { ...delivery, state: "DELIVERED" };
  await expect.element(result).toHaveTextContent("Delivered");
  await expect.element(result).not.toHaveTextContent("Delivery failed");
});

test("an event that only reaches Test Launches is sent at once", async () => {
  await openConsole(
    { test: true },
    {
      [`GET ${url}/recipients?event=policy.issued`]: { recipients: [{ ...own, test: true }] },
      [`POST ${url}/calls`]: { ...sent, deliveries: 1 },
      [`GET ${url}/attempts?delivery=${id(4)}`]: { ...delivery, attemptCount: 0, attempts: [] },
    },
  );
  await sendButton().click();
  await expect
    .element(page.getByRole("region", { name: "Result" }))
    .toHaveTextContent("Waiting for delivery");
  expect(page.getByRole("alertdialog").elements()).toEqual([]);
});
