import { expect, test } from "vitest";
import { ROLES } from "@/lib/contract/platform/role";
import { admit, ROUTE_POLICY, type RouteName } from "@/lib/domain/accounts/policy";
import { describeCases } from "./cases";
import type { Person } from "./world";

/** Everybody who belongs to the organization that owns everything, and wrote everything that it has. */
const people = ROLES.map((role): Person => {
  const organization = { id: "o", slug: "acme", name: "acme", role };
  const actor = { userId: "u", sessionId: "s", name: "n", email: "e", moderator: false, organization };
  return { name: "owner", actor, home: "acme", otherSessionId: "s" };
});

const isRoute = (name: string): name is RouteName => name in ROUTE_POLICY;

// Guarantee: the policy table is the whole answer to who may. It admits nobody to whom the code then refuses even their own.
test("the table admits no role whose own objects a rule beside the table hides", () => {
  const broader = Object.entries(describeCases("http://core.example")).flatMap(([name, { ok, rule }]) =>
    people.flatMap((person) =>
      isRoute(name) &&
      admit(ROUTE_POLICY[name], person.actor) === "admitted" &&
      ok !== 404 &&
      rule?.(person, "own") === 404
        ? [`${person.actor?.organization?.role}: ${name}`]
        : [],
    ),
  );
  expect(broader).toEqual([]);
});
