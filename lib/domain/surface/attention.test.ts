import { expect, test } from "vitest";
import { type InstalledFacts, type ListingFacts, noteInstallation, noteListing } from "./attention";

const at = new Date("2026-11-20T10:00:00Z");

const installed = (changes: Partial<InstalledFacts>): InstalledFacts => ({
  ...{ id: "1", status: "RUNNING", reason: undefined, since: undefined, upgradeTo: null, test: false },
  ...{ dead: undefined, changed: undefined },
  ...changes,
});

test("the worst of an installation comes first, and what runs needs nothing", () => {
  const notes = (changes: Partial<InstalledFacts>, role: "owner" | "publisher" = "owner") =>
    noteInstallation(installed(changes), role).map(({ text, href }) => [text, href]);
  expect(notes({})).toEqual([]);
  expect(
    notes({
      status: "DOWN",
      upgradeTo: "2.0.0",
      dead: { count: 1, since: at },
      changed: { products: ["Auto", "Home"], changedAt: at },
    }),
  ).toEqual([
    ["It is down.", "/installations/1"],
    ["1 event was not delivered after all retries.", "/installations/1/calls?state=dead"],
    ["Auto, Home changed in the core since their mappings were saved.", "/installations/1/configure"],
    ["Version 2.0.0 is available.", "/installations/1/upgrade"],
  ]);
  expect(notes({ status: "DEGRADED", reason: "GET /health failed." })).toEqual([
    ["GET /health failed.", "/installations/1"],
  ]);
  expect(notes({ status: "UNINSTALLING", upgradeTo: "2.0.0" })).toEqual([]);
  // A publisher may not upgrade what customers' operators run.
  expect(notes({ upgradeTo: "2.0.0" }, "publisher")).toEqual([]);
  expect(notes({ upgradeTo: "2.0.0", test: true }, "publisher")).toHaveLength(1);
});

test("what is not released comes after what was refused, and leads to where it is released", () => {
  const listing: ListingFacts = {
    appName: "vin",
    state: "PUBLIC",
    newest: { number: "1.2.0", createdAt: at, isVerified: false, isSubmitted: false },
    review: { id: "7", state: "REJECTED", note: "It logs secrets.", number: "1.1.0", decidedAt: at },
    draft: { errors: 2, updatedAt: at },
    broken: null,
    textChangedAt: at,
  };
  const notes = (changes: Partial<ListingFacts>) =>
    noteListing({ ...listing, ...changes }).map(({ tone, href, text }) => [tone, href, text]);
  expect(notes({})).toEqual([
    ["danger", "/publish/vin/reviews/7", "Version 1.1.0 was rejected: It logs secrets."],
    ["warning", "/publish/vin/manifest", "The draft of its manifest has 2 problems to fix before a release."],
    ["draft", "/publish/vin/versions", expect.stringContaining("been submitted for review")],
    ["draft", "/publish/vin/edit", "Its text has changes that haven't been submitted for review."],
  ]);
  const released = { newest: null, review: null, draft: undefined, textChangedAt: undefined };
  expect(notes(released)).toEqual([]);
  expect(notes({ ...released, state: "SUSPENDED" })).toEqual([
    ["danger", "/publish/vin", expect.stringContaining("suspended")],
  ]);
  const broken = { number: "1.1.0", installations: 2, at };
  expect(notes({ ...released, broken })).toEqual([
    [
      "danger",
      "/publish/vin",
      "Version 1.1.0 failed and isn't running. 2 installations of customers need it.",
    ],
  ]);
});
