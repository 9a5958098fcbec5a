import * as z from "zod";
import { slug } from "./names";
import { atMost, shownText } from "./shown-text";

export const email = z
  .email("Enter an email address, such as you@company.com.")
  .max(254, atMost(254))
  .trim()
  .toLowerCase();
export const password = z.string().min(10, "Use at least 10 characters.").max(200, atMost(200));

export const organizationName = shownText.min(2, "Enter your company's name.").max(100, atMost(100));

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
