import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { INSTANCE_REASONS, REASON_CODES } from "@/lib/contract/runtime/instance-reasons";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { FailuresCard } from "./failures-card";

const at = new Date("2026-11-20T10:00:00.000Z");
const reason = "The app was killed by signal SIGABRT before GET /health returned 200.";
const text =
  "starting…\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n".repeat(6);

// Guarantee: the publisher sees why each version failed, what to do about it, and its log.
test("versions that failed, with and without a log", async () => {
  const failure = { at, reason, code: "EXITED", exitCode: 134 } as const;
  const parked = { at, crashes: 10 };
  await renderPage(
    <main>
      <h1>VIN autofill</h1>
      <FailuresCard
        failures={[
          { ...failure, versionId: "2", number: "1.1.0", parked, log: { at, text } },
          { ...failure, versionId: "1", number: "1.0.0", parked: undefined, log: undefined },
        ]}
        hasMore
      />
    </main>,
    { path: "/publish/vin-autofill", answers: {} },
  );
  await expect.element(page.getByText("FATAL ERROR", { exact: false }).first()).toBeVisible();
  await checkAppearance("listing, last failures");
});

// Guarantee: each reason has a sentence, a next step and a link to its documentation on the page.
test("every reason why an app didn't start or ended", async () => {
  const failures = REASON_CODES.map((code, index) => ({
    versionId: code,
    number: `1.${index}.0`,
    at,
    code,
    exitCode: null,
    reason: INSTANCE_REASONS[code].meaning,
    parked: undefined,
    log: undefined,
  }));
  await renderPage(
    <main>
      <h1>VIN autofill</h1>
      <FailuresCard failures={failures} hasMore={false} />
    </main>,
    { path: "/publish/vin-autofill", answers: {} },
  );
  for (const code of REASON_CODES) {
    await expect.element(page.getByText(code, { exact: true })).toBeVisible();
    const help = page.getByRole("link", { name: `Learn more about ${code} ` });
    await expect.element(help).toHaveAttribute("href", `/docs/errors/${code}`);
  }
  await checkAppearance("listing, every reason");
});
