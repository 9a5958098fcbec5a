import { newOrganizationInput } from "@/lib/contract/membership";
import { listOwnOrganizations } from "@/lib/server/members/switch-organization";
import { createOrganization } from "@/lib/server/organizations/create-organization";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/organizations", {
  run: async ({ platform, actor }) => ({ organizations: await listOwnOrganizations(platform, actor) }),
});

export const POST = route("POST /api/organizations", {
  body: newOrganizationInput,
  created: true,
  run: ({ platform, actor, body }) => createOrganization(platform, actor, body),
});
