import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { FailuresCard } from "./failures-card";

const at = new Date("2026-11-20T10:00:00.000Z");
const reason = "The app was killed by signal SIGABRT before GET /health returned 200.";
const text =
  "starting…\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n".repeat(6);

// Guarantee: the publisher sees why each version failed, and its log.
test("versions that failed, with and without a log", async () => {
  const failure = { at, reason };
  await renderPage(
    <main>
      <h1>VIN autofill</h1>
      <FailuresCard
        failures={[
          { ...failure, versionId: "2", number: "1.1.0", log: { at, text } },
          { ...failure, versionId: "1", number: "1.0.0", log: undefined },
        ]}
      />
    </main>,
    { path: "/publish/vin-autofill", answers: {} },
  );
  await expect.element(page.getByText("FATAL ERROR", { exact: false }).first()).toBeVisible();
  await checkAppearance("listing, last failures");
});
