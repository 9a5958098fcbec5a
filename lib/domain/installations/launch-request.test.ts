import { expect, test } from "vitest";
import { ROLES } from "@/lib/contract/platform/role";
import { judgePermission } from "./launch-request";

// Guarantee: owners never ask, and nobody launches what is not allowed.
test.each([
  [{ membersAsk: false, onlyAllowedApps: false }, false, ["launch", "launch", "launch"]],
  [{ membersAsk: true, onlyAllowedApps: false }, false, ["launch", "ask", "ask"]],
  [{ membersAsk: false, onlyAllowedApps: true }, true, ["launch", "launch", "launch"]],
  [{ membersAsk: false, onlyAllowedApps: true }, false, ["allow", "ask", "ask"]],
  [{ membersAsk: true, onlyAllowedApps: true }, true, ["launch", "ask", "ask"]],
])("with %j, and an app that is allowed: %s", (rules, isAllowed, expected) => {
  expect(ROLES).toEqual(["owner", "publisher", "operator"]);
  expect(ROLES.map((role) => judgePermission(rules, role, isAllowed))).toEqual(expected);
});
