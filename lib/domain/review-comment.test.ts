import { expect, test } from "vitest";
import type { Role } from "@/lib/contract/role";
import { editableSince, editableUntil, participationIn, toThreads } from "./review-comment";

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
