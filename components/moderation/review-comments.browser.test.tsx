import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { CommentView } from "@/lib/contract/moderation/review";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ManifestLines } from "./anchored-threads";
import { CommentsCard } from "./comment-thread";
import { ReviewComments } from "./review-comments";

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

function comment(number: number, changes: Partial<CommentView> = {}): CommentView {
  const createdAt = new Date(Date.now() - 3_600_000).toISOString();
  return {
    id: id(number),
    parentId: null,
    author: "Maria Moss",
    moderator: true,
    mine: false,
    body: "Why does it need this setting?",
    anchor: null,
    createdAt,
    editedAt: null,
    editableUntil: createdAt,
    resolvedAt: null,
    resolvedBy: null,
    ...changes,
  };
}

const MANIFEST = '{\n  "name": "acme/vin",\n  "version": "1.5.0"\n}';
const ANCHORED = comment(1, { anchor: { type: "manifest", line: 2, quote: '  "name": "acme/vim",' } });
const REPLY = comment(2, {
  parentId: id(1),
  author: "Pat Pine",
  moderator: false,
  mine: true,
  body: "For **NHTSA**.",
});
const RESOLVED = comment(3, { body: "Old", resolvedAt: new Date().toISOString(), resolvedBy: "Pat Pine" });
const MINE = comment(4, {
  mine: true,
  body: "<img src=x onerror=alert(1)> [link](javascript:alert(1))",
  editableUntil: new Date(Date.now() + 600_000).toISOString(),
});

interface Sent {
  name: string;
  body: unknown;
}

/** Keeps what is sent. The comments stay as they are. */
async function renderComments(comments: CommentView[], { mayWrite = true, refuse = "" } = {}) {
  const sent: Sent[] = [];
  await renderPage(
    <ReviewComments reviewId="1" initial={comments} mayWrite={mayWrite}>
      <div className="flex flex-col gap-6">
        <ManifestLines text={MANIFEST} />
        <CommentsCard />
      </div>
    </ReviewComments>,
  );
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "GET") return Response.json({ comments });
    sent.push({ name: `${method} ${path}`, body: JSON.parse(String(body)) });
    return refuse === ""
      ? Response.json({}, { status: 201 })
      : Response.json({ code: "WRONG_STATE", detail: refuse }, { status: 409 });
  });
  return sent;
}

test("of many threads, the newest are shown, and the earlier ones on request", async () => {
  const many = Array.from({ length: 30 }, (_, at) => comment(at + 1, { body: `Comment ${at + 1}.` }));
  await renderComments(many);
  await expect.element(page.getByText("30 open, 0 resolved")).toBeVisible();
  await expect.element(page.getByText("Comment 26.")).toBeVisible();
  await expect.element(page.getByText("Comment 25.")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Show 25 earlier threads" }).click();
  await expect.element(page.getByText("Comment 1.", { exact: true })).toBeVisible();
  expect(page.getByRole("article").elements()).toHaveLength(30);
});

test("threads are at their line and in the list, with the line as it was", async () => {
  await renderComments([ANCHORED, REPLY, RESOLVED, MINE]);
  await expect.element(page.getByText("3 open").or(page.getByText("2 open, 1 resolved"))).toBeVisible();
  await expect.element(page.getByText("Line 2 of the manifest")).toBeVisible();
  await expect.element(page.getByText('"name": "acme/vim",')).toBeVisible();
  expect(page.getByText("NHTSA").elements()).toHaveLength(2);
  await checkAppearance("review, comments");
});

// Guarantee: a comment can't run anything in the other side's browser.
test("raw HTML and links to scripts are text", async () => {
  await renderComments([MINE]);
  await expect.element(page.getByText("link")).toBeVisible();
  expect(document.querySelector("main img, main a")).toBeNull();
});

test("a press on a line's number starts a comment on that line", async () => {
  const sent = await renderComments([]);
  await page.getByRole("button", { name: "Comment on line 3" }).click();
  await page.getByRole("textbox", { name: "Comment on line 3" }).fill("Bump it");
  await checkAppearance("review, a comment on a line");
  await page.getByRole("button", { name: "Comment", exact: true }).first().click();
  await expect
    .poll(() => sent)
    .toEqual([
      {
        name: "POST /api/reviews/1/comments",
        body: { body: "Bump it", anchor: { type: "manifest", line: 3 } },
      },
    ]);
  await expect.element(page.getByRole("textbox", { name: "Comment on line 3" })).not.toBeInTheDocument();
});

test("a reply that is refused stays in its field", async () => {
  await renderComments([comment(1)], { refuse: "Try again later." });
  await page.getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("A long answer");
  await page.getByRole("button", { name: "Reply", exact: true }).click();
  await expect.element(page.getByText("Try again later.")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Reply" })).toHaveValue("A long answer");
});

test("a thread is resolved, folded, and reopened", async () => {
  const sent = await renderComments([comment(1), RESOLVED]);
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect
    .poll(() => sent.at(-1))
    .toEqual({
      name: `PUT /api/reviews/1/comments/${id(1)}/resolution`,
      body: { resolved: true },
    });
  await expect.element(page.getByText("Old", { exact: true })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Show 1 comment" }).click();
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect.poll(() => sent.at(-1)?.body).toEqual({ resolved: false });
});

test("one's own recent comment can be edited; others' and older ones can't", async () => {
  const sent = await renderComments([comment(1), { ...MINE, body: "tpyo" }]);
  expect(page.getByRole("button", { name: "Edit" }).elements()).toHaveLength(1);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit the comment" }).fill("typo");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => sent)
    .toEqual([{ name: `PUT /api/reviews/1/comments/${id(4)}`, body: { body: "typo" } }]);
});

test("members who may only read get no buttons", async () => {
  await renderComments([comment(1)], { mayWrite: false });
  await expect.element(page.getByText("Why does it need this setting?")).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});
