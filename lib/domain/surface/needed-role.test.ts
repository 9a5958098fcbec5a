import { expect, test } from "vitest";
import type { Role } from "@/lib/contract/platform/role";
import { explainRole } from "./needed-role";

const member = (role: Role) => ({
  moderator: false,
  organization: { id: "o", slug: "harbor", name: "Harbor Mutual", role },
});

test("somebody whose role is not enough learns which one is, and who gives it", () => {
  expect(explainRole("/publish/vin-autofill", member("operator"))).toEqual({
    needs: "This page needs the role owner or publisher. In Harbor Mutual, you have the role operator.",
    gives: "An owner of Harbor Mutual can change your role.",
    byOwner: true,
  });
  expect(explainRole("/tenants/new", member("publisher"))?.needs).toContain("needs the role owner.");
  expect(explainRole("/moderation", member("owner"))?.needs).toContain("Only moderators");
  expect(explainRole("/calls", { moderator: true })?.gives).toContain("invitation");
});

// Guarantee: nothing is said about a page that is missing for another reason.
test.each(["/publish/absent", "/installations/absent", "/nothing", "/marketplace/acme/gone"])(
  "of %s, the role is not the reason",
  (path) => expect(explainRole(path, member("owner"))).toBeUndefined(),
);
