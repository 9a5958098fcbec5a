import { expect, test } from "vitest";
import type { Role } from "@/lib/contract/platform/role";
import {
  claimEnd,
  currentClaim,
  dueBefore,
  dueDate,
  editableSince,
  editableUntil,
  isLongQueue,
  orderParts,
  participationIn,
  submittedBefore,
  toThreads,
} from "./review";

// Guarantee: publishers see a date that moderators, who work Monday to Friday, can meet.
test.each([
  ["Monday", "2026-11-16T09:30:00Z", "2026-11-19T09:30:00Z", "2026-11-17T09:30:00Z"],
  ["Tuesday", "2026-11-17T09:30:00Z", "2026-11-20T09:30:00Z", "2026-11-18T09:30:00Z"],
  ["Wednesday", "2026-11-18T09:30:00Z", "2026-11-23T09:30:00Z", "2026-11-19T09:30:00Z"],
  ["Friday", "2026-11-20T23:59:00Z", "2026-11-25T23:59:00Z", "2026-11-23T23:59:00Z"],
  ["Saturday", "2026-11-21T09:30:00Z", "2026-11-25T09:30:00Z", "2026-11-23T09:30:00Z"],
  ["Sunday", "2026-11-22T09:30:00Z", "2026-11-25T09:30:00Z", "2026-11-23T09:30:00Z"],
  ["the end of a year", "2026-12-31T12:00:00Z", "2027-01-05T12:00:00Z", "2027-01-01T12:00:00Z"],
])(
  "submitted on %s, a version is due after three working days and a text after one",
  (_day, at, version, text) => {
    expect(dueDate(new Date(at), "VERSION")).toEqual(new Date(version));
    expect(dueDate(new Date(at), "TEXT")).toEqual(new Date(text));
  },
);

test("a claim lasts a day; a released one is nobody's", () => {
  const claimedAt = new Date("2026-11-18T08:00:00Z");
  const claim = { claimedBy: "maria", claimedAt };
  expect(claimEnd(claimedAt)).toEqual(new Date("2026-11-19T08:00:00Z"));
  expect(currentClaim(claim, new Date("2026-11-19T07:59:59Z"))).toBe("maria");
  expect(currentClaim(claim, new Date("2026-11-19T08:00:00Z"))).toBeUndefined();
  expect(currentClaim({ claimedBy: null, claimedAt: null }, claimedAt)).toBeUndefined();
});

test("filters of the queue count from now, and today ends at midnight", () => {
  const now = new Date("2026-11-18T08:00:00Z");
  expect(dueBefore("overdue", now, "UTC")).toEqual(now);
  expect(dueBefore("today", now, "UTC")).toEqual(new Date("2026-11-19T00:00:00Z"));
  expect(dueBefore("today", now, "Europe/Zurich")).toEqual(new Date("2026-11-18T23:00:00Z"));
  expect(dueBefore("week", now, "UTC")).toEqual(new Date("2026-11-25T08:00:00Z"));
  expect(submittedBefore("3", now)).toEqual(new Date("2026-11-15T08:00:00Z"));
});

const working = (id: string, role: Role = "owner") => ({ id, slug: id, name: id, role });

// Guarantee: a moderator never speaks as a moderator to their own organization, and nobody else learns of the review.
test.each([
  ["a moderator without an organization", { moderator: true }, false, "moderator"],
  [
    "a moderator of another organization",
    { moderator: true, organization: working("harbor") },
    false,
    "moderator",
  ],
  [
    "a moderator who also belongs to the publisher",
    { moderator: true, organization: working("harbor") },
    true,
    "observer",
  ],
  [
    "a moderator who works in the publisher",
    { moderator: true, organization: working("acme") },
    true,
    "publisher",
  ],
  ["an owner of the publisher", { moderator: false, organization: working("acme") }, true, "publisher"],
  [
    "a publisher of the publisher",
    { moderator: false, organization: working("acme", "publisher") },
    true,
    "publisher",
  ],
  [
    "an operator of the publisher",
    { moderator: false, organization: working("acme", "operator") },
    true,
    undefined,
  ],
  ["a member who works elsewhere", { moderator: false, organization: working("harbor") }, true, undefined],
  ["a stranger", { moderator: false, organization: working("harbor") }, false, undefined],
  ["a user without an organization", { moderator: false }, false, undefined],
] as const)("%s", (_who, actor, belongs, side) => {
  expect(participationIn(actor, "acme", belongs)).toBe(side);
});

test("a comment can be edited for 15 minutes", () => {
  const [written, end] = [new Date("2026-11-18T08:00:00Z"), new Date("2026-11-18T08:15:00Z")];
  expect(editableUntil(written)).toEqual(end);
  expect(editableSince(end)).toEqual(written);
});

test("replies follow their root in order", () => {
  const comment = (id: string, parentId: string | null = null) => ({ id, parentId });
  const threads = toThreads([
    comment("a"),
    comment("b"),
    comment("c", "a"),
    comment("d", "x"),
    comment("e", "a"),
  ]);
  expect(threads.map(({ root, replies }) => [root.id, replies.map(({ id }) => id)])).toEqual([
    ["a", ["c", "e"]],
    ["b", []],
  ]);
});

test("search and filters are shown of a long queue, and while they are used", () => {
  const few = { isFiltered: false, isFirst: true, reviews: 8 };
  expect(isLongQueue(few)).toBe(false);
  for (const changes of [{ isFiltered: true, reviews: 0 }, { isFirst: false }, { reviews: 9 }])
    expect(isLongQueue({ ...few, ...changes })).toBe(true);
});

// Guarantee: a moderator who reads from the top reads first what nobody has approved yet.
test("what changed since the last approval comes first, and what didn't, last", () => {
  const order = (wasApproved: boolean, isTextChanged: boolean) =>
    orderParts({ kind: "VERSION", wasApproved, isTextChanged });
  const looked = ["notes", "evidence", "egress", "image", "rights"];
  expect(order(true, true)).toEqual(["text", "manifest", ...looked, "settings"]);
  expect(order(true, false)).toEqual(["manifest", ...looked, "settings", "text"]);
  expect(order(false, false)).toEqual([...looked, "manifest", "settings", "text"]);
  expect(orderParts({ kind: "TEXT", wasApproved: true, isTextChanged: true })).toEqual(["text", "notes"]);
});
