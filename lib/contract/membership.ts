import * as z from "zod";
import { organizationName } from "./organization";
import { ROLES } from "./role";
import { slug } from "./names";
import { atMost, shownText } from "./shown-text";

export const roleInput = z.strictObject({ role: z.enum(ROLES) });

/** `revokeApiKeys`: also those API keys that the member created. */
export const memberRemovalInput = z.strictObject({ revokeApiKeys: z.boolean() });

export const newOrganizationInput = z.strictObject({
  organizationName,
  organizationSlug: slug,
});
export type NewOrganizationInput = z.infer<typeof newOrganizationInput>;

export const switchInput = z.strictObject({ organizationId: z.uuid() });

/** An organization of the signed-in person. */
const ownOrganization = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  role: z.enum(ROLES),
});
export type OwnOrganization = z.infer<typeof ownOrganization>;

export const ownOrganizations = z.object({ organizations: z.array(ownOrganization) });

const httpsUrl = z
  .url({ protocol: /^https$/, error: "Enter a URL that starts with https://." })
  .max(500, atMost(500));
const address = z.email("Enter an email address, such as support@company.com.").max(254, atMost(254));

/** What the organization's public page shows. Empty texts are not shown. */
export const organizationProfile = z.strictObject({
  name: organizationName,
  description: shownText.max(1_000, atMost(1_000)),
  website: z.literal("").or(httpsUrl),
  supportAddress: z.literal("").or(address),
});
export type OrganizationProfile = z.infer<typeof organizationProfile>;
