import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import type { EvidenceCheck, EvidenceView } from "@/lib/contract/moderation/review";
import { CHECK_TITLES } from "@/lib/domain/moderation/verdict";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { EvidencePanel } from "./evidence-panel";
import { ReviewComments } from "./review-comments";

const REVIEW = "1";

function check(name: (typeof CHECK_NAMES)[number], changes: Partial<EvidenceCheck> = {}): EvidenceCheck {
  const detail = "All 8 sample calls were answered. The slowest took 41 ms.";
  return { name, title: CHECK_TITLES[name], result: "PASS", detail, ms: 412, ...changes };
}

const DONE: EvidenceView = {
  state: "DONE",
  reason: null,
  facts: {
    image: {
      digest: `sha256:${"4f".repeat(32)}`,
      bytes: 61_300_000,
      layers: 4,
      sharedLayers: 3,
      user: "",
      exposedPorts: ["8080/tcp"],
      environmentNames: ["NODE_VERSION", "PATH"],
      volumes: ["/data"],
    },
    startMs: 840,
    memoryBytes: 48_000_000,
    calls: 18,
  },
  checks: CHECK_NAMES.map((name) => {
    if (name === "image-settings")
      return check(name, {
        result: "WARN",
        detail:
          "The image runs as root, because it sets no USER. The platform runs it as user 65532, so make sure that it doesn't need root, and set USER 65532.",
      });
    if (name === "secrets")
      return check(name, {
        result: "FAIL",
        detail:
          "It wrote the setting apiKey to its log. Remove it there, because everyone who can read the log or the response can read the secret.",
      });
    return name === "hooks"
      ? check(name, { result: "SKIPPED", detail: "The manifest declares no lifecycle hooks." })
      : check(name);
  }),
  queuedAt: "2026-11-22T10:00:00.000Z",
  endedAt: "2026-11-22T10:01:00.000Z",
};
const RUNNING: EvidenceView = { ...DONE, state: "RUNNING", checks: DONE.checks.slice(0, 4), endedAt: null };

const url = `/api/reviews/${REVIEW}/evidence`;

async function render(
  initial: EvidenceView | null,
  options: Partial<Parameters<typeof EvidencePanel>[0]> = {},
  answers: object = {},
) {
  const all: Record<string, unknown> = {
    [`GET ${url}`]: { evidence: initial },
    [`GET /api/reviews/${REVIEW}/comments`]: { comments: [] },
  };
  // Answers may be getters.
  Object.defineProperties(all, Object.getOwnPropertyDescriptors(answers));
  await renderPage(
    <ReviewComments reviewId={REVIEW} initial={[]} mayWrite>
      <EvidencePanel reviewId={REVIEW} initial={initial} isOpen {...options} />
    </ReviewComments>,
    { answers: all },
  );
}

// Guarantee: a publisher reads of each check whether it passed, what was seen, and what to do, and can answer it.
test("each check says its result, what was seen, and takes comments", async () => {
  await render(DONE, { withImage: true });
  await expect.element(page.getByText(/1 failed, 1 warning, 9 passed, 1 skipped/)).toBeVisible();
  await expect.element(page.getByText(/^It wrote the setting apiKey to its log/)).toBeVisible();
  await expect.element(page.getByText("4, 3 of them unchanged")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Comment on Leaks no secrets" })).toBeVisible();
  // What failed comes first and is open; what passed is a line that opens.
  const titles = page.getByRole("list", { name: "Checks" }).getByRole("listitem").elements();
  expect(titles[0]?.textContent).toContain("Leaks no secrets");
  expect(titles[1]?.textContent).toContain("Image settings");
  const passed = page.getByRole("button", { name: "Comment on Becomes healthy in time" });
  await expect.element(passed).not.toBeInTheDocument();
  await page.getByText("Becomes healthy in time").click();
  await expect.element(passed).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Run again" })).not.toBeInTheDocument();
  await checkAppearance("automatic checks, done");
});

// Guarantee: nobody reloads the page to see the next result.
test("while the checks run, results arrive by themselves", async () => {
  let now = RUNNING;
  const answers = {
    get [`GET ${url}`]() {
      return { evidence: now };
    },
  };
  await render(RUNNING, { mayRun: true }, answers);
  await expect.element(page.getByText("Running: 4 of 12 checks have finished.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Run again" })).not.toBeInTheDocument();
  await checkAppearance("automatic checks, running");
  now = DONE;
  await expect.element(page.getByText(/1 failed, 1 warning, 9 passed, 1 skipped/)).toBeVisible();
});

test("a moderator runs the checks again", async () => {
  const sent: string[] = [];
  await render(
    { ...DONE, state: "FAILED", reason: "The platform's own core did not respond.", checks: [], facts: null },
    { mayRun: true },
    {
      get [`POST ${url}`]() {
        sent.push("run");
        return new Response(null, { status: 204 });
      },
    },
  );
  await expect.element(page.getByText("The platform's own core did not respond.")).toBeVisible();
  await checkAppearance("automatic checks, not completed");
  await page.getByRole("button", { name: "Run again" }).click();
  await expect.poll(() => sent).toEqual(["run"]);
});

test("a review that was never checked says so", async () => {
  await render(null, { mayRun: true });
  await expect.element(page.getByText("This version was not checked.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Run" })).toBeVisible();
});

// Guarantee: a decided review still shows what was checked, and why the rest was not.
test("checks canceled by the end of their review say so, show what was found, and wait for nothing", async () => {
  await render({ ...RUNNING, state: "CANCELED" }, { isOpen: false, mayRun: true });
  await expect
    .element(page.getByText("Canceled, because the review ended after 4 of 12 checks."))
    .toBeVisible();
  await expect.element(page.getByText("Runs on amd64")).toBeVisible();
  await expect.element(page.getByText("Memory", { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Run again" })).not.toBeInTheDocument();
  await checkAppearance("automatic checks, canceled");
});
