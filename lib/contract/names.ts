import { z } from "zod";

/** The header that carries the state key on every request from the platform to an app. */
export const KEY_HEADER = "x-PLATFORM-key";

/** The manifest's file name, at the root of the image. */
export const MANIFEST_FILE = "platform-app.json";

/** Organization and app slugs: the two halves of an app's name. */
export const slug = z
  .string()
  .min(2, "Use at least 2 characters.")
  .max(40, "Use at most 40 characters.")
  .regex(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    "Use lower-case letters, digits and single hyphens, starting with a letter.",
  );

/** `<org-name>/<app-name>`. */
export interface AppName {
  organization: string;
  app: string;
}

/** Undefined when `name` is not `<org-name>/<app-name>`. */
export function splitAppName(name: string): AppName | undefined {
  const [organization, app, ...rest] = name.split("/");
  if (organization === undefined || app === undefined || rest.length > 0) return undefined;
  return slug.safeParse(organization).success && slug.safeParse(app).success
    ? { organization, app }
    : undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Is this text an id of ours? PostgreSQL refuses to compare anything else with one. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
