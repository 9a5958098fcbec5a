/** Which key is used, and where it is sent. A saved key is never sent to another origin than the one it was saved for. */
import { readFile, rm } from "node:fs/promises";
import * as z from "zod";
import { errorPath, parseJson } from "@/lib/contract/platform/problem";
import type { CliEnvironment, ProxySettings } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { writePrivateJson } from "../terminal/replace-file";

export interface Credentials extends Key {
  /** The platform's origin. */
  url: string;
  /** The name of the profile. Undefined for a key from the environment or from a prompt. */
  profile?: string;
  proxies?: ProxySettings;
}

/** From the environment, otherwise from a profile that `login` has saved. */
export async function findCredentials(environment: CliEnvironment): Promise<Credentials> {
  const { clientId, apiKey, proxies } = environment;
  if ((clientId === undefined) !== (apiKey === undefined)) {
    throw new Failure("WRONG_USAGE", "Set both PLATFORM_CLIENT_ID and PLATFORM_API_KEY, or neither.");
  }
  if (clientId !== undefined && apiKey !== undefined) {
    checkKey({ clientId, apiKey });
    return { url: await findUrl(environment), clientId, apiKey, proxies };
  }
  const profile = chooseProfile(environment, await readProfiles(environment.credentialsFile));
  return {
    url: profile.url,
    clientId: profile.clientId,
    apiKey: profile.apiKey,
    profile: profile.name,
    proxies,
  };
}

/** Refuses what no key contains, such as a line break in the middle, because the platform would only say that the key is wrong. */
export function checkKey({ clientId, apiKey }: Key): void {
  for (const [name, value] of [
    ["client ID", clientId],
    ["API key", apiKey],
  ] as const) {
    const at = value.search(/[^!-~]/);
    if (at < 0) continue;
    const what = /[\r\n]/.test(value.charAt(at))
      ? "a line break"
      : "a blank or another character that none has";
    throw new Failure(
      "WRONG_USAGE",
      `The ${name} contains ${what}, after ${at} of its ${value.length} characters. Copy it again, in one line, from the API Keys page or your secret store.`,
    );
  }
}

/** Where a key from the environment is sent. */
async function findUrl({ url, ownUrl, profile, credentialsFile }: CliEnvironment): Promise<string> {
  if (url !== undefined) return checkUrl(url);
  const { current, profiles } = await readProfiles(credentialsFile);
  if (profile !== undefined) return findProfile(profiles, profile).url;
  return profiles.find(({ name }) => name === current)?.url ?? ownUrl;
}

/** The profile that was asked for, otherwise the one in use, otherwise the only one of the platform that PLATFORM_URL names. */
export function chooseProfile(
  { url, ownUrl, profile }: Pick<CliEnvironment, "url" | "ownUrl" | "profile">,
  { current, profiles }: SavedProfiles,
): Profile {
  const origin = url === undefined ? undefined : checkUrl(url);
  if (profile !== undefined) {
    const named = findProfile(profiles, profile);
    if (origin === undefined || named.url === origin) return named;
    throw new Failure(
      "PROFILE_MISMATCH",
      `The profile "${profile}" is saved for ${named.url}, but PLATFORM_URL is ${origin}. Its key was not sent. Unset PLATFORM_URL, or choose a profile for ${origin}.`,
      { next: ["platform-app profiles", `platform-app login --url ${origin} --profile <name>`] },
    );
  }
  const inUse = profiles.find(({ name }) => name === current);
  if (inUse !== undefined && (origin === undefined || inUse.url === origin)) return inUse;
  const fitting = profiles.filter((each) => each.url === origin);
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0];
  throw fitting.length > 1 ? severalFit(fitting) : notLoggedIn(origin, ownUrl, profiles);
}

export function findProfile(profiles: readonly Profile[], name: string): Profile {
  const found = profiles.find((each) => each.name === name);
  if (found !== undefined) return found;
  const saved =
    profiles.length === 0 ? "You have no saved profiles." : `Saved profiles: ${listNames(profiles)}.`;
  throw new Failure("UNKNOWN_PROFILE", `The profile "${name}" was not found. ${saved}`, {
    next: [`Create it:  platform-app login --profile ${name}`],
  });
}

/** The origin of an http(s) URL. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Failure(
    "WRONG_USAGE",
    `"${text}" is not a valid URL. Use a URL such as https://gateway.example.com.`,
  );
}

function severalFit(profiles: readonly Profile[]): Failure {
  const detail = `Several profiles are saved for ${profiles[0]?.url}: ${listNames(profiles)}. Choose one with --profile or PLATFORM_PROFILE.`;
  return new Failure("WRONG_USAGE", detail);
}

function notLoggedIn(origin: string | undefined, ownUrl: string, profiles: readonly Profile[]): Failure {
  const url = origin ?? ownUrl;
  if (origin === undefined && profiles.length > 0)
    return new Failure("NOT_LOGGED_IN", `No profile is in use. Saved profiles: ${listNames(profiles)}.`, {
      next: ["Choose one:  platform-app profiles use <name>"],
    });
  const next = [`Log in:  platform-app login --url ${url}`];
  const others = [...new Set(profiles.map((each) => each.url))];
  if (others.length > 0)
    next.push(`Or set PLATFORM_URL to a platform you are logged in to: ${others.join(", ")}`);
  const detail = `You are not logged in to ${url}. Create an API key in Publish apps → API Keys, then log in.`;
  return new Failure("NOT_LOGGED_IN", detail, { next });
}

function listNames(profiles: readonly Profile[]): string {
  return profiles.map(({ name }) => name).join(", ");
}

/** The URL of a code's entry in the documentation of the platform in use. Undefined if no profile says where that is. */
export async function findHelp(environment: CliEnvironment, code: string): Promise<string | undefined> {
  try {
    const { webUrl } = chooseProfile(environment, await readProfiles(environment.credentialsFile));
    return webUrl === undefined ? undefined : webUrl.replace(/\/$/, "") + errorPath(code);
  } catch {
    // No help about a failure must not become a second failure.
    return undefined;
  }
}

export const DEFAULT_PROFILE = "default";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);
const key = z.object({ clientId: z.string().min(1), apiKey: z.string().min(1) });
type Key = z.infer<typeof key>;

const profile = key.extend({
  name: z.string().regex(NAME),
  /** The gateway's origin: the only one that gets the key. */
  url: origin,
  /** What the platform last said: whose key it is, and where its pages are. */
  organization: z.object({ slug: z.string(), name: z.string().optional() }).optional(),
  webUrl: z.url({ protocol: /^https?$/ }).optional(),
});
type Profile = z.infer<typeof profile>;

/** The file of saved logins: profiles, each an API key bound to the platform that accepted it. `current`: the profile in use. */
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
    // Nor is it there if a part of its path is a file, as with the home folder /dev/null.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new Failure(
      "BAD_SAVED_LOGIN",
      `${file} can't be read (${error.code ?? error.message}). Fix its permissions, or set PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_API_KEY, which need no saved login.`,
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
