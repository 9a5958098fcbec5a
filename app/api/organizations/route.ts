import { newOrganizationInput } from "@/lib/contract/accounts/account";
import { createOrganization, listOwnOrganizations } from "@/lib/server/accounts/organization";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/organizations", {
  run: async ({ platform, actor }) => ({ organizations: await listOwnOrganizations(platform, actor) }),
});

export const POST = route("POST /api/organizations", {
  body: newOrganizationInput,
  created: true,
  run: ({ platform, actor, body }) => createOrganization(platform, actor, body),
});
