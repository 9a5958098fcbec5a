import { afterEach, expect, test, vi } from "vitest";
import { router } from "@/tests/browser/next-navigation";
import { renderPage } from "@/tests/browser/render";
import { ReviewNotice } from "./next-steps";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const LISTING = { listingState: "DRAFT", path: "/publish/vin", newest: "1.0.0", isUnverified: true } as const;

const review = {
  note: "",
  createdAt: new Date(),
  decidedAt: null,
  number: "1.0.0",
  href: "/publish/vin/reviews/1",
};

// Guarantee: a publisher who waits for the decision sees it without reloading the page.
test("the page is read again while a review is pending, and not after the decision", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const refresh = vi.spyOn(router, "refresh");
  const notice = (state: "PENDING" | "REJECTED") => (
    <ReviewNotice {...LISTING} review={{ ...review, state }} />
  );
  const { rerender } = await renderPage(notice("PENDING"));
  vi.advanceTimersByTime(11_000);
  await expect.poll(() => refresh.mock.calls.length).toBe(2);
  await rerender(notice("REJECTED"));
  refresh.mockClear();
  vi.advanceTimersByTime(11_000);
  expect(refresh).not.toHaveBeenCalled();
});

// Guarantee: an error doesn't take the place of what is being typed.
test("the page is not read again while it can't be loaded", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const refresh = vi.spyOn(router, "refresh");
  refresh.mockClear();
  const notice = <ReviewNotice {...LISTING} review={{ ...review, state: "PENDING" }} />;
  const away = [{ part: "database", since: null }];
  await renderPage(notice, { answers: { "GET /api/availability": { away } } });
  vi.advanceTimersByTime(6_000);
  await expect.poll(() => vi.mocked(fetch).mock.calls.length).toBeGreaterThan(0);
  vi.advanceTimersByTime(6_000);
  expect(refresh).not.toHaveBeenCalled();
});
