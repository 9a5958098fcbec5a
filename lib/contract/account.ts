import * as z from "zod";
import { email, password } from "./organization";
import { atMost, shownText } from "./shown-text";

const currentPassword = z.string().min(1, "Enter your current password.").max(200, atMost(200));

/** The 256-bit token of a link, base64url. */
export const linkToken = z.string().regex(/^[\w-]{43}$/, "Open the link again. It was not copied in full.");

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
