import * as z from "zod";
import { email, password } from "./organization";
import { ROLES } from "./role";
import { atMost, shownText } from "./shown-text";

export const INVITATION_DAYS = 7;

export const invitationInput = z.strictObject({
  role: z.enum(ROLES),
  /** Only the account with this address can accept. Empty: anyone with the link can. */
  email: z.literal("").or(email),
});
export type InvitationInput = z.infer<typeof invitationInput>;

/** The one answer that carries the link. `mailed`: it was also sent to the address. */
export const createdInvitation = z.object({ id: z.string(), url: z.string(), mailed: z.boolean() });
export type CreatedInvitation = z.infer<typeof createdInvitation>;

/** A person without an account accepts an invitation. */
export const invitedPersonInput = z.strictObject({
  name: shownText.min(1, "Enter your name.").max(100, atMost(100)),
  email,
  password,
});
export type InvitedPersonInput = z.infer<typeof invitedPersonInput>;

/** An invitation, as shown to anyone with its link. */
export interface InvitationOffer {
  organizationName: string;
  role: (typeof ROLES)[number];
  invitedBy: string;
  /** The only address that can accept it; null if every account can. */
  email: string | null;
  /** ISO 8601. */
  expiresAt: string;
}
