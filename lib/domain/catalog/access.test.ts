import { describe, expect, test } from "vitest";
import {
  LISTING_STATES,
  LISTING_VISIBILITIES,
  REVIEW_STATES,
  type ReviewState,
} from "@/lib/contract/catalog/listing";
import type { Member } from "../platform/actor";
import { isListed, isOffered, maySee, mayUpgradeTo, refuseLaunch, type Standing } from "./access";

const STRANGER: Standing = {
  ...{ own: false, moderator: false, named: false, installed: false, link: false, pilot: false },
};
const PEOPLE = {
  stranger: STRANGER,
  own: { ...STRANGER, own: true },
  moderator: { ...STRANGER, moderator: true },
  named: { ...STRANGER, named: true },
  installed: { ...STRANGER, installed: true },
  link: { ...STRANGER, link: true },
  pilot: { ...STRANGER, pilot: true },
};
type Person = keyof typeof PEOPLE;
const ALL: Person[] = ["stranger", "own", "moderator", "named", "installed", "link", "pilot"];

const who = (may: (standing: Standing) => boolean) => ALL.filter((person) => may(PEOPLE[person]));

const SEEN = {
  EVERYONE: ALL,
  LINK: ["own", "moderator", "installed", "link", "pilot"],
  NAMED: ["own", "moderator", "named", "pilot"],
};
const OFFERED = { EVERYONE: ALL, LINK: ["own", "link", "pilot"], NAMED: ["own", "named", "pilot"] };
const REVIEWS = [null, ...REVIEW_STATES];

// Guarantee: the whole rule, cell by cell.
describe.each(LISTING_STATES)("a %s listing", (state) => {
  test.each(LISTING_VISIBILITIES)("for %s", (visibility) => {
    const listing = { state, visibility };
    const isPublic = state === "PUBLIC";
    const hidden = state === "RETIRED" ? [] : ["own", "moderator"];
    expect(who((standing) => maySee(listing, standing))).toEqual(isPublic ? SEEN[visibility] : hidden);
    expect(who((standing) => isOffered(listing, standing))).toEqual(isPublic ? OFFERED[visibility] : []);
    expect(isListed(listing)).toBe(isPublic && visibility === "EVERYONE");
    for (const review of REVIEWS) {
      const upgrades = (verifiedAt: Date | null) =>
        who((standing) => mayUpgradeTo({ state, verifiedAt, review }, standing));
      expect(upgrades(new Date())).toEqual(isPublic ? ALL : []);
      const isTried = isPublic && (review === null || review === "PENDING");
      expect(upgrades(null)).toEqual(isTried ? ["pilot"] : []);
    }
  });

  // Guarantee: until a version is approved, only its publisher launches it, also on a public listing; moderators while they
  // review it.
  test.each(LISTING_VISIBILITIES)("launched when it is for %s", (visibility) => {
    const member: Member = {
      ...{ userId: "u", sessionId: "s", name: "", email: "", moderator: false },
      organization: { id: "customer", slug: "customer", name: "", role: "owner" },
    };
    const moderation: Member = {
      ...member,
      moderator: true,
      organization: { ...member.organization, id: "moderation", moderation: true },
    };
    const people = {
      publisher: { ...member, organization: { ...member.organization, id: "publisher" } },
      customer: member,
      moderation,
      demoted: { ...moderation, moderator: false },
    };
    for (const verifiedAt of [null, new Date()])
      for (const review of REVIEWS) {
        const candidate = { publisherId: "publisher", state, visibility, verifiedAt, review };
        const launches = (standing: Standing, test: boolean, pilot = false) =>
          Object.entries(people).flatMap(([name, one]) =>
            refuseLaunch(candidate, one, standing, { test, pilot }) === undefined ? [name] : [],
          );
        for (const person of ALL) {
          const isOffer = state === "PUBLIC" && verifiedAt !== null && OFFERED[visibility].includes(person);
          expect(launches(PEOPLE[person], false)).toEqual(isOffer ? Object.keys(people) : []);
          const isTried = review === null || review === "PENDING";
          const isPilots = state === "PUBLIC" && person === "pilot" && verifiedAt === null && isTried;
          expect(launches(PEOPLE[person], false, true)).toEqual(
            isOffer || isPilots ? Object.keys(people) : [],
          );
          const tests = ["publisher", ...(review === "PENDING" ? ["moderation"] : [])];
          expect(launches(PEOPLE[person], true)).toEqual(state === "RETIRED" ? [] : tests);
        }
      }
  });
});

test("a refusal says what is missing, but not to somebody who knows nothing of a version", () => {
  const member: Member = {
    ...{ userId: "u", sessionId: "s", name: "", email: "", moderator: false },
    organization: { id: "customer", slug: "customer", name: "", role: "owner" },
  };
  const candidate = {
    ...({ publisherId: "publisher", state: "PUBLIC", review: null } as const),
  };
  const refuse = (visibility: (typeof LISTING_VISIBILITIES)[number], verifiedAt: Date | null = new Date()) =>
    refuseLaunch({ ...candidate, visibility, verifiedAt }, member, PEOPLE.installed, {
      ...{ test: false, pilot: false },
    });
  expect(refuse("LINK")).toBe("LINK_NEEDED");
  expect(refuse("NAMED")).toBe("NOT_NAMED");
  expect(refuse("NAMED", null)).toBe("ABSENT");
  const asPilot = (review: ReviewState | null) =>
    refuseLaunch(
      { ...candidate, visibility: "EVERYONE", verifiedAt: null, review },
      ...([member, PEOPLE.pilot, { test: false, pilot: false }] as const),
    );
  expect(asPilot(null)).toBe("NOT_AGREED");
  expect(asPilot("REJECTED")).toBe("PILOT_ENDED");
});
