import { z } from "zod";
import { slug } from "./names";
import { shownText } from "./shown-text";

export const ROLES = ["owner", "publisher", "operator"] as const;
export type Role = (typeof ROLES)[number];

export const email = z.email("Write an address such as you@company.com.").max(254).trim().toLowerCase();
export const password = z
  .string()
  .min(10, "Use at least 10 characters.")
  .max(200, "Use at most 200 characters.");

export const signUpInput = z.strictObject({
  name: shownText.min(1, "Write your name.").max(100),
  email,
  password,
  organizationName: shownText.min(2, "Write your company's name.").max(100),
  organizationSlug: slug,
});
export type SignUpInput = z.infer<typeof signUpInput>;

export const signInInput = z.strictObject({
  email,
  password: z.string().min(1, "Write your password.").max(200),
});
export type SignInInput = z.infer<typeof signInInput>;

export const apiKeyInput = z.strictObject({
  name: shownText.min(1, "Name it after the place that will use it, such as 'CI'.").max(100),
});
export type ApiKeyInput = z.infer<typeof apiKeyInput>;

/** The one answer that carries the key itself. */
export const createdApiKey = z.object({ name: z.string(), clientId: z.string(), apiKey: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
