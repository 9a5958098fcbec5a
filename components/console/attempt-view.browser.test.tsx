import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { AttemptDetail } from "@/lib/contract/installation-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleInstallation } from "@/tests/sample-installation";
import { AttemptView } from "./attempt-view";

const installation = sampleInstallation();
const attempt: AttemptDetail = {
  id: "01900000-0000-7000-8000-000000000001",
  routeId: "01900000-0000-7000-8000-000000000002",
  deliveryId: null,
  kind: "autofill",
  test: false,
  target: "POST /autofill",
  startedAt: "2026-11-20T10:00:00.000Z",
  durationMs: 42,
  status: 200,
  failure: null,
  stateReads: 1,
  dueAt: null,
  heldBy: null,
  endedAt: "2026-11-20T10:00:00.042Z",
  stateReadAt: "2026-11-20T10:00:00.010Z",
  stateLastReadAt: "2026-11-20T10:00:00.010Z",
  stateRevision: 1,
  recorded: true,
  payload: '{"vin":"YV1"}',
  payloadBytes: 13,
  answer: '{"make":"Volvo"}',
  answerBytes: 16,
};

const showAttempt = (change: Partial<AttemptDetail>) =>
  renderPage(<AttemptView installation={installation} attemptId={attempt.id} />, {
    answers: {
      [`GET /api/installations/${installation.id}/attempts?attempt=${attempt.id}`]: { ...attempt, ...change },
    },
  });

test("a recorded call shows its payload and its answer", async () => {
  await showAttempt({});
  await expect.element(page.getByText(/"vin"/)).toBeVisible();
  await expect.element(page.getByText(/Volvo/)).toBeVisible();
  await expect.element(page.getByText(/not recorded/)).not.toBeInTheDocument();
});

// Guarantee: nobody takes a body that was not recorded for an empty one, or searches for it.
test("a call that was not recorded says so, with the sizes and where to turn recording on", async () => {
  await showAttempt({ recorded: false, payload: null, answer: null, answerBytes: 1600 });
  await expect.element(page.getByText("The body was not recorded (13 bytes).")).toBeVisible();
  await expect.element(page.getByText("The body was not recorded (1,600 bytes).")).toBeVisible();
  const link = page.getByRole("link", { name: "Settings" });
  await expect.element(link.first()).toHaveAttribute("href", "/organization/settings");
  await checkAppearance("call, not recorded");
});

test("an empty body that was not recorded is shown as empty", async () => {
  await showAttempt({ recorded: false, payload: null, answer: null, answerBytes: 0, status: 204 });
  await expect.element(page.getByText("The response has an empty body.")).toBeVisible();
});
