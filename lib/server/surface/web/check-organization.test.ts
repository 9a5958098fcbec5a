import { expect, test } from "vitest";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { checkOrganization } from "./refuse-request";

const sentBy = (shown?: string) => new Headers(shown === undefined ? {} : { [ORGANIZATION_HEADER]: shown });
const worksIn = (id?: string) =>
  id === undefined ? {} : { organization: { id, slug: id, name: "Harbor", role: "owner" as const } };

// Guarantee: a form that was opened in one organization and sent after a switch in another tab changes neither.
test("a page of another organization is refused, and learns where its user works now", () => {
  expect(() => checkOrganization(sentBy("acme"), worksIn("harbor"))).toThrow(
    expect.objectContaining({
      code: "ORGANIZATION_CHANGED",
      status: 409,
      detail: expect.stringContaining("Harbor"),
    }),
  );
});

test("a page whose user was removed is refused with the reason", () => {
  expect(() => checkOrganization(sentBy("acme"), worksIn())).toThrow(
    expect.objectContaining({ detail: expect.stringContaining("no longer a member") }),
  );
});

test.each([
  ["the same organization", sentBy("acme"), worksIn("acme")],
  ["no page", sentBy(), worksIn("acme")],
  ["nobody signed in, which the policy answers", sentBy("acme"), undefined],
])("%s passes", (_what, headers, actor) => {
  expect(() => checkOrganization(headers, actor)).not.toThrow();
});
