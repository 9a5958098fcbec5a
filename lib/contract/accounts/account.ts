import * as z from "zod";
import { ROLES } from "../platform/role";
import { atMost, normalizeDomain } from "../platform/text";
import { neededText, shownText, slug } from "../platform/text-shapes";
import { isZone, LONGEST_ZONE } from "../platform/time-range";

/** Letters of any script before the `@`, and a domain as DNS has it. */
const ADDRESS =
  /^(?:[\p{L}\p{M}\p{N}_'+-]+\.)*[\p{L}\p{M}\p{N}_'+-]*[\p{L}\p{M}\p{N}_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u;

const emailAs = (needed: string) =>
  z
    .string(needed)
    .max(254, atMost(254))
    .transform(normalizeAddress)
    .pipe(z.string().max(254, atMost(254)).regex(ADDRESS, needed));

/** Also `müller@bücher.example`. Every way to write an address is one account. */
export const email = emailAs("Enter an email address, such as you@company.com.");

export const isAddress = (typed: string) => ADDRESS.test(normalizeAddress(typed));

export function normalizeAddress(typed: string): string {
  const address = typed.normalize("NFC").trim().toLowerCase();
  const at = address.lastIndexOf("@");
  return at < 1 ? address : `${address.slice(0, at)}@${normalizeDomain(address.slice(at + 1))}`;
}

export const password = z
  .string()
  .min(10, {
    error: ({ input }) =>
      input === "" ? "Enter a password of at least 10 characters." : "Use at least 10 characters.",
  })
  .max(200, atMost(200));

export const organizationName = neededText(2, 100, "Enter your company's name.");

export const signUpInput = z.strictObject({
  name: shownText.min(1, "Enter your name.").max(100, atMost(100)),
  email,
  password,
  organizationName,
  organizationSlug: slug,
});
export type SignUpInput = z.infer<typeof signUpInput>;

export const signInInput = z.strictObject({
  email,
  password: z.string().min(1, "Enter your password.").max(200, atMost(200)),
  /** Of an authenticator app, or a recovery code. Only asked for after the password. */
  code: z.string().max(40, atMost(40)).optional(),
});
export type SignInInput = z.infer<typeof signInInput>;

/** What applies to everyone in an organization. */
export const organizationSettings = z.strictObject({
  /** Store payloads and answers of production calls. */
  recordBodies: z.boolean(),
});
export type OrganizationSettings = z.infer<typeof organizationSettings>;

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

/** What the organization's public page shows. Empty texts are not shown. */
export const organizationProfile = z.strictObject({
  name: organizationName,
  description: shownText.max(1_000, atMost(1_000)),
  website: z.literal("").or(httpsUrl),
  supportAddress: z.literal("").or(emailAs("Enter an email address, such as support@company.com.")),
});
export type OrganizationProfile = z.infer<typeof organizationProfile>;

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

const currentPassword = z.string().min(1, "Enter your current password.").max(200, atMost(200));

/** The 256-bit token of a link, base64url. */
export const linkToken = z
  .string()
  .regex(/^[\w-]{43}$/, "The link is incomplete. Copy the whole link, then open it again.");

/** Six digits of an authenticator app, or a recovery code. Spaces and dashes don't matter. */
export const signInCode = z
  .string()
  .max(40, atMost(40))
  .transform((code) => code.replaceAll(/[\s-]/g, "").toLowerCase())
  .refine((code) => /^(\d{6}|[a-z2-7]{16})$/.test(code), {
    error: "Enter the 6 digits from your authenticator app, or a recovery code.",
  });

export const profileInput = z.strictObject({
  name: shownText.min(1, "Enter your name.").max(100, atMost(100)),
});
export type ProfileInput = z.infer<typeof profileInput>;

/** Null: each browser's own. */
export const zoneInput = z.strictObject({
  zone: z
    .string()
    .max(LONGEST_ZONE, atMost(LONGEST_ZONE))
    .refine(isZone, "Choose a time zone from the list, such as Europe/Zurich.")
    .nullable(),
});
export type ZoneInput = z.infer<typeof zoneInput>;

export const emailChangeInput = z.strictObject({ email, currentPassword });
export type EmailChangeInput = z.infer<typeof emailChangeInput>;

export const passwordChangeInput = z.strictObject({ currentPassword, password });
export type PasswordChangeInput = z.infer<typeof passwordChangeInput>;

export const passwordResetInput = z.strictObject({ email });
export type PasswordResetInput = z.infer<typeof passwordResetInput>;

export const newPasswordInput = z.strictObject({ token: linkToken, password });

/** The password of a new-password form; the token is in the page's address. */
export const newPasswordFields = newPasswordInput.omit({ token: true });
export type NewPasswordFields = z.infer<typeof newPasswordFields>;

/** A confirmed sign-up, with the password that was chosen. */
export const newOwnerConfirmation = z.strictObject({
  token: linkToken,
  password: z.string().min(1, "Enter the password that you chose.").max(200, atMost(200)),
});
export const newOwnerFields = newOwnerConfirmation.omit({ token: true });
export type NewOwnerFields = z.infer<typeof newOwnerFields>;

/** The address of an account, to sign in with. */
export const accountAddress = z.object({ email: z.string() });

export const linkInput = z.strictObject({ token: linkToken });

export const confirmPasswordInput = z.strictObject({ currentPassword });
export type ConfirmPasswordInput = z.infer<typeof confirmPasswordInput>;

export const secondFactorCodeInput = z.strictObject({
  code: z
    .string()
    .transform((code) => code.replaceAll(/\s/g, ""))
    .refine((code) => /^\d{6}$/.test(code), { error: "Enter the 6 digits from your authenticator app." }),
});
export type SecondFactorCodeInput = z.infer<typeof secondFactorCodeInput>;

/** What an authenticator app needs, shown once: the base32 secret, and the same as an `otpauth:` URI. */
export const secondFactorSetup = z.object({ secret: z.string(), uri: z.string() });
export type SecondFactorSetup = z.infer<typeof secondFactorSetup>;

export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** `DONE`: the change applies. `MAILED`: it applies when the link in the e-mail is used. */
export const mailOutcome = z.object({ outcome: z.enum(["DONE", "MAILED"]) });
export type MailOutcome = z.infer<typeof mailOutcome>;

export const secondFactorRequirement = z.strictObject({ required: z.boolean() });

/** A session as its user sees it. Times are ISO 8601. */
export interface SessionView {
  id: string;
  /** Such as "Chrome on macOS". */
  device: string;
  network: string;
  signedInBy: "PASSWORD" | "OIDC";
  createdAt: string;
  lastSeenAt: string;
  current: boolean;
}
