/** The file of saved logins: profiles, each an API key bound to the platform that accepted it. */
import { readFile, rm } from "node:fs/promises";
import * as z from "zod";
import { parseJson } from "@/lib/contract/parse-json";
import { Failure } from "../terminal/failure";
import { writePrivateJson } from "./replace-file";

export const DEFAULT_PROFILE = "default";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);
const key = z.object({ clientId: z.string().min(1), apiKey: z.string().min(1) });
export type Key = z.infer<typeof key>;

const profile = key.extend({
  name: z.string().regex(NAME),
  /** The gateway's origin: the only one that gets the key. */
  url: origin,
  /** What the platform last said: whose key it is, and where its pages are. */
  organization: z.object({ slug: z.string(), name: z.string().optional() }).optional(),
  webUrl: z.url({ protocol: /^https?$/ }).optional(),
});
export type Profile = z.infer<typeof profile>;

/** `current`: the profile in use. */
const savedProfiles = z.object({ current: z.string().optional(), profiles: z.array(profile) });
export type SavedProfiles = z.infer<typeof savedProfiles>;

/** Before there were profiles, one key of each platform was saved; before that, one key. */
const onePerPlatform = z
  .object({ current: origin.optional(), platforms: z.record(z.url(), key) })
  .transform(({ current, platforms }) => {
    const keys = Object.entries(platforms).map(([url, own]) => ({ url: new URL(url).origin, ...own }));
    return nameKeys(keys, keys.length === 1 ? keys[0]?.url : current);
  });
const oneKey = key.extend({ url: origin }).transform((only) => nameKeys([only], only.url));

function nameKeys(keys: readonly (Key & { url: string })[], current: string | undefined): SavedProfiles {
  const profiles: Profile[] = [];
  for (const each of keys.toSorted(
    (one, other) => Number(other.url === current) - Number(one.url === current),
  ))
    profiles.push({
      name: each.url === current ? DEFAULT_PROFILE : freeName(profiles, new URL(each.url).host),
      ...each,
    });
  return { current: profiles.find(({ url }) => url === current)?.name, profiles };
}

/** @param wish such as a host; other characters than those of names are replaced */
export function freeName(profiles: readonly Profile[], wish: string): string {
  const plain = wish.replaceAll(/[^a-z0-9._-]+/gi, "-").replace(/^[^a-z0-9]+/i, "");
  const base = plain.slice(0, 50) || "profile";
  const isFree = (name: string) => profiles.every((each) => each.name !== name);
  if (isFree(base)) return base;
  let number = 2;
  while (!isFree(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

export function checkProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Failure(
    "WRONG_USAGE",
    `"${name}" is not a valid profile name. Use letters, digits, dots, hyphens and underscores, such as "staging".`,
  );
}

export const NOTHING_SAVED: SavedProfiles = { profiles: [] };

export async function readProfiles(file: string): Promise<SavedProfiles> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Failure(
      "BAD_SAVED_LOGIN",
      `${file} can't be read (${error.code ?? error.message}). Fix its permissions, or log in again.`,
    );
  });
  if (text === undefined) return NOTHING_SAVED;
  const parsed = z.union([savedProfiles, onePerPlatform, oneKey]).safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure(
    "BAD_SAVED_LOGIN",
    `${file} is not a valid file of saved logins. Run \`platform-app login\` again.`,
  );
}

/** Replaces the file, or removes it if nothing is left to save. */
export async function writeProfiles(file: string, { current, profiles }: SavedProfiles): Promise<void> {
  if (profiles.length === 0) await rm(file, { force: true });
  else await writePrivateJson(file, { current, profiles });
}

/** Saves a profile under its name. @param current the profile in use from now on */
export async function saveProfile(file: string, saved: Profile, current: string | undefined): Promise<void> {
  // A login replaces a file that is not valid.
  const { profiles } = await readProfiles(file).catch(() => NOTHING_SAVED);
  const others = profiles.filter(({ name }) => name !== saved.name);
  await writeProfiles(file, { current, profiles: [...others, saved] });
}

/** Removes a profile. If it was in use, none is afterwards. Returns the others. */
export async function removeProfile(file: string, name: string): Promise<readonly Profile[]> {
  const saved = await readProfiles(file);
  const profiles = saved.profiles.filter((each) => each.name !== name);
  await writeProfiles(file, { current: saved.current === name ? undefined : saved.current, profiles });
  return profiles;
}
