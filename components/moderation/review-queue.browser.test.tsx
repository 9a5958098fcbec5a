import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { router } from "@/tests/browser/next-navigation";
import { setSingleKeys } from "@/components/ui/typing";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { MODERATION_TABS, ModerationFrame, ReviewColumns } from "./moderation-frame";
import { QueueFilters } from "./queue-filters";
import { ClaimCard } from "./review-actions";
import { type QueuedReview, ReviewQueue } from "./review-queue";

const HOUR = 3_600_000;

function queued(id: string, title: string, changes: Partial<QueuedReview> = {}): QueuedReview {
  return {
    id,
    title,
    kind: "VERSION",
    state: "PENDING",
    appName: title.toLowerCase(),
    organizationSlug: "acme",
    organizationName: "Acme",
    versionNumber: "1.4.0",
    createdAt: new Date(Date.now() - 30 * HOUR),
    dueAt: new Date(Date.now() + 20 * HOUR),
    decidedAt: null,
    overdue: false,
    claim: null,
    own: false,
    ...changes,
  };
}

const REVIEWS = [
  queued("1", "Mileage", { overdue: true, dueAt: new Date(Date.now() - 2 * HOUR) }),
  queued("2", "Photos", { kind: "TEXT", versionNumber: null, claim: { name: "You", mine: true } }),
  queued("3", "Recalls", { claim: { name: "Maria Moss", mine: false } }),
];

/** The requests that the queue sends, and the paths that it opens. */
async function renderQueue(answers: Record<string, unknown> = {}) {
  const sent: string[] = [];
  const opened = vi.spyOn(router, "push");
  onTestFinished(() => opened.mockRestore());
  const respond = (name: string) => ({
    [name]: answers[name] ?? new Response(null, { status: 204 }),
  });
  await renderPage(<ReviewQueue reviews={REVIEWS} />, {
    path: "/moderation",
    answers: { ...respond("POST /api/reviews/1/claim"), ...respond("DELETE /api/reviews/2/claim") },
  });
  const fetched = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    sent.push(`${init.method ?? "GET"} ${path}`);
    return fetched(path, init);
  });
  return { sent };
}

test("the queue shows what is overdue and who claimed what", async () => {
  await renderQueue();
  await expect.element(page.getByText("Claimed by Maria Moss")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Release Photos" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /Recalls/ })).not.toBeInTheDocument();
  await checkAppearance("moderation queue");
});

// Guarantee: nobody is offered to judge their own organization's app.
test("an app of the moderator's own organization can't be claimed, and the queue says why", async () => {
  await renderPage(<ReviewQueue reviews={[queued("1", "Mileage", { own: true }), queued("2", "Photos")]} />, {
    path: "/moderation",
  });
  await expect.element(page.getByText("Your organization's app. Another moderator decides.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Claim Mileage" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Claim Photos" })).toBeVisible();
  await checkAppearance("moderation queue, own app");
});

// Guarantee: somebody else may be first, so each claim has its own result.
test("several reviews are claimed together", async () => {
  const taken = { code: "WRONG_STATE", detail: "Maria Moss has claimed this review." };
  await renderPage(
    <ReviewQueue reviews={[queued("1", "Mileage"), queued("2", "Photos"), ...REVIEWS.slice(2)]} />,
    {
      path: "/moderation",
      answers: {
        "POST /api/reviews/1/claim": new Response(null, { status: 204 }),
        "POST /api/reviews/2/claim": Response.json(taken, { status: 409 }),
      },
    },
  );
  expect(page.getByRole("checkbox", { name: /Recalls/ }).elements()).toEqual([]);
  await page.getByRole("checkbox", { name: "Select all unclaimed on this page" }).click({ force: true });
  await checkAppearance("moderation queue, selected");
  await page.getByRole("button", { name: "Claim selected" }).click();
  await page
    .getByRole("dialog", { name: "Claim 2 reviews?" })
    .getByRole("button", { name: "Claim 2 reviews" })
    .click();
  const result = page.getByRole("dialog", { name: "1 done, 1 failed" });
  await expect.element(result.getByText("Claimed by you")).toBeVisible();
  await expect.element(result.getByText(taken.detail)).toBeVisible();
});

// Guarantee: a moderator works through the queue without a mouse.
test("j and k move through the reviews, o opens one, c claims or releases it", async () => {
  const { sent } = await renderQueue();
  const focused = () => document.activeElement?.textContent;
  await userEvent.keyboard("j");
  expect(focused()).toBe("Mileage");
  await userEvent.keyboard("c");
  await expect.poll(() => sent).toEqual(["POST /api/reviews/1/claim"]);
  await userEvent.keyboard("jj");
  expect(focused()).toBe("Recalls");
  await userEvent.keyboard("jk");
  expect(focused()).toBe("Photos");
  await userEvent.keyboard("c");
  await expect.poll(() => sent.at(-1)).toBe("DELETE /api/reviews/2/claim");
  // Speech input types single keys by accident.
  setSingleKeys(false);
  await userEvent.keyboard("c");
  setSingleKeys(true);
  expect(sent).toHaveLength(2);
  await userEvent.keyboard("jo");
  await expect.poll(() => location.pathname).toMatch(/^\/moderation\/[123]$/);
});

test("a claim that came too late says who was first", async () => {
  const detail = "Maria Moss claimed this review. Choose another one.";
  await renderQueue({
    "POST /api/reviews/1/claim": Response.json({ code: "WRONG_STATE", detail }, { status: 409 }),
  });
  await page.getByRole("button", { name: "Claim Mileage" }).click();
  await expect.element(page.getByText(detail)).toBeVisible();
});

test("a filter is a new URL that keeps the others", async () => {
  const opened = vi.spyOn(router, "push");
  onTestFinished(() => opened.mockRestore());
  await renderPage(
    <QueueFilters
      query={{ state: "PENDING", kind: "TEXT", q: "vin" }}
      publishers={[{ slug: "acme", name: "Acme" }]}
      morePublishers={12}
    />,
  );
  await checkAppearance("moderation queue, filters");
  await page.getByRole("button", { name: /Claimed by/ }).click();
  await page.getByRole("option", { name: "Me", exact: true }).click();
  expect(opened).toHaveBeenLastCalledWith("/moderation?state=PENDING&kind=TEXT&q=vin&claim=mine");
  await page.getByRole("button", { name: /Review of/ }).click();
  await page.getByRole("option", { name: "Everything" }).click();
  expect(opened).toHaveBeenLastCalledWith("/moderation?state=PENDING&q=vin");
});

test.each([
  ["nobody", null, "Claim"],
  ["you", { name: "You", mine: true, endsAt: new Date(Date.now() + 5 * HOUR) }, "Release"],
  ["another", { name: "Maria Moss", mine: false, endsAt: new Date(Date.now() + 5 * HOUR) }, undefined],
] as const)("a review in the hands of %s", async (who, claim, action) => {
  await renderPage(<ClaimCard reviewId="1" claim={claim} />);
  if (action === undefined) await expect.element(page.getByRole("button")).not.toBeInTheDocument();
  else await expect.element(page.getByRole("button", { name: action })).toBeVisible();
  await checkAppearance(`review, claimed by ${who}`);
});

test("the tabs of moderation lead to its pages, and name the open one", async () => {
  await renderPage(<ModerationFrame description="Reports about listings.">Nothing</ModerationFrame>, {
    path: "/moderation/reports",
  });
  const tabs = page.getByRole("navigation", { name: "Moderation" });
  expect(
    tabs
      .getByRole("link")
      .elements()
      .map((link) => link.textContent),
  ).toEqual(MODERATION_TABS.map(({ text }) => text));
  await expect.element(tabs.getByRole("link", { name: "Reports" })).toHaveAttribute("aria-current", "page");
  await expect.element(tabs.getByRole("link", { name: "Reviews" })).not.toHaveAttribute("aria-current");
  await checkAppearance("moderation, tabs");
});

// Guarantee: on a wide screen, nobody scrolls back to decide.
test("the decision stays in view while a review is read", async () => {
  await page.viewport(1440, 900);
  await renderPage(
    <ReviewColumns decision={<button type="button">Approve</button>}>
      <p style={{ height: "4000px" }}>Long</p>
    </ReviewColumns>,
  );
  scrollTo(0, 2_000);
  await expect.poll(() => scrollY).toBe(2_000);
  await expect.element(page.getByRole("button", { name: "Approve" })).toBeInViewport();
});
