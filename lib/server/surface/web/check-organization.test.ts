import { expect, test } from "vitest";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { checkOrganization, chooseOrganization } from "./refuse-request";

const ACME = "01900000-0000-7000-8000-000000000001";
const HARBOR = "01900000-0000-7000-8000-000000000002";
const sentBy = (shown?: string) => new Headers(shown === undefined ? {} : { [ORGANIZATION_HEADER]: shown });
const worksIn = (id?: string) =>
  id === undefined ? {} : { organization: { id, slug: id, name: "Harbor", role: "owner" as const } };

const user = { userId: "u", sessionId: "s", name: "Ann", email: "ann@acme.example", moderator: false };
const memberOf =
  (...ids: string[]) =>
  async (id: string) => ({ ...user, ...worksIn(ids.includes(id) ? id : undefined) });

// Guarantee: a form that was opened in one organization and sent after a switch in another tab changes neither.
test("a page of another organization is refused, and learns where its user works now", async () => {
  await expect(
    checkOrganization(sentBy(ACME), worksIn(HARBOR), memberOf(ACME, HARBOR)),
  ).rejects.toMatchObject({
    code: "ORGANIZATION_CHANGED",
    status: 409,
    detail: expect.stringContaining("Harbor"),
  });
});

test.each([
  ["nowhere", worksIn()],
  ["elsewhere", worksIn(HARBOR)],
])("a page whose user was removed and now works %s is refused with the reason", async (_where, actor) => {
  await expect(checkOrganization(sentBy(ACME), actor, memberOf(HARBOR))).rejects.toMatchObject({
    code: "NOT_A_MEMBER",
    status: 403,
    detail: expect.stringContaining("no longer, a member"),
  });
});

test.each([
  ["the same organization", sentBy(ACME), worksIn(ACME)],
  ["no page", sentBy(), worksIn(ACME)],
  ["nobody signed in, which the policy answers", sentBy(ACME), undefined],
])("%s passes", async (_what, headers, actor) => {
  await expect(checkOrganization(headers, actor, memberOf())).resolves.toBeUndefined();
});

// Guarantee: an address that names an organization means this one, and no other.
test("an address leads to the organization that it names, or nowhere", async () => {
  expect((await chooseOrganization(ACME, memberOf(ACME, HARBOR))).organization?.id).toBe(ACME);
  for (const named of [HARBOR, "", "x'; drop"])
    await expect(chooseOrganization(named, memberOf(ACME))).rejects.toMatchObject({ code: "NOT_A_MEMBER" });
});
