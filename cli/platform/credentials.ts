/** Which key is used, and where it is sent. A saved key is never sent to another origin than the one it was saved for. */
import type { CliEnvironment, ProxySettings } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { type Key, type Profile, readProfiles, type SavedProfiles } from "./saved-profiles";

export const DEFAULT_URL = "http://127.0.0.1:4000";

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
  if (clientId !== undefined && apiKey !== undefined)
    return { url: await findUrl(environment), clientId, apiKey, proxies };
  const profile = chooseProfile(environment, await readProfiles(environment.credentialsFile));
  return {
    url: profile.url,
    clientId: profile.clientId,
    apiKey: profile.apiKey,
    profile: profile.name,
    proxies,
  };
}

/** Where a key from the environment is sent. */
async function findUrl({ url, profile, credentialsFile }: CliEnvironment): Promise<string> {
  if (url !== undefined) return checkUrl(url);
  const { current, profiles } = await readProfiles(credentialsFile);
  if (profile !== undefined) return findProfile(profiles, profile).url;
  return profiles.find(({ name }) => name === current)?.url ?? DEFAULT_URL;
}

/** The profile that was asked for, otherwise the one in use, otherwise the only one of the platform that PLATFORM_URL names. */
export function chooseProfile(
  { url, profile }: Pick<CliEnvironment, "url" | "profile">,
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
  throw fitting.length > 1 ? severalFit(fitting) : notLoggedIn(origin, profiles);
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
  throw new Failure("WRONG_USAGE", `"${text}" is not a valid URL. Use a URL such as ${DEFAULT_URL}.`);
}

function severalFit(profiles: readonly Profile[]): Failure {
  const detail = `Several profiles are saved for ${profiles[0]?.url}: ${listNames(profiles)}. Choose one with --profile or PLATFORM_PROFILE.`;
  return new Failure("WRONG_USAGE", detail);
}

function notLoggedIn(origin: string | undefined, profiles: readonly Profile[]): Failure {
  const url = origin ?? DEFAULT_URL;
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
