/** API keys, each bound to the platform that accepted it: a key is never sent to another origin. */
import { readFile, rm } from "node:fs/promises";
import * as z from "zod";
import { parseJson } from "@/lib/contract/parse-json";
import type { CliEnvironment } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { writePrivateJson } from "./replace-file";

export const DEFAULT_URL = "http://127.0.0.1:4000";

const key = z.object({ clientId: z.string().min(1), apiKey: z.string().min(1) });
type Key = z.infer<typeof key>;

/** `current`: the platform of the last login, used unless PLATFORM_URL names another. */
const savedKeys = z.object({ current: z.url().optional(), platforms: z.record(z.url(), key) });
type SavedKeys = z.infer<typeof savedKeys>;

/** Earlier versions saved one key. */
const oneKey = key.extend({ url: z.url() }).transform(({ url, clientId, apiKey }): SavedKeys => {
  const origin = new URL(url).origin;
  return { current: origin, platforms: { [origin]: { clientId, apiKey } } };
});

export interface Credentials extends Key {
  /** The platform's origin. */
  url: string;
}

/** From the environment, otherwise from the file written by `login`. */
export async function findCredentials(environment: CliEnvironment): Promise<Credentials> {
  const saved = await readSaved(environment.credentialsFile);
  const { clientId, apiKey } = environment;
  if ((clientId === undefined) !== (apiKey === undefined)) {
    throw new Failure("WRONG_USAGE", "Set both PLATFORM_CLIENT_ID and PLATFORM_API_KEY, or neither.");
  }
  const url = chooseUrl(environment, saved);
  if (clientId !== undefined && apiKey !== undefined) return { url, clientId, apiKey };
  const own = saved.platforms[url];
  if (own !== undefined) return { url, ...own };
  throw notLoggedIn(url, Object.keys(saved.platforms));
}

export async function saveCredentials(file: string, { url, ...own }: Credentials): Promise<void> {
  // A login replaces a file that is not valid.
  const { platforms } = await readSaved(file).catch(() => NOTHING_SAVED);
  await writePrivateJson(file, { current: url, platforms: { ...platforms, [url]: own } });
}

/** Removes the key of the platform in use and returns its URL. Keys of other platforms stay. */
export async function removeCredentials(environment: CliEnvironment): Promise<string> {
  const file = environment.credentialsFile;
  const saved = await readSaved(file);
  const url = chooseUrl(environment, saved);
  const platforms = Object.fromEntries(Object.entries(saved.platforms).filter(([origin]) => origin !== url));
  const current = saved.current === url ? undefined : saved.current;
  if (Object.keys(platforms).length === 0) await rm(file, { force: true });
  else await writePrivateJson(file, { current, platforms });
  return url;
}

/** The origin of an http(s) URL. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Failure("WRONG_USAGE", `"${text}" is not a valid URL. Use a URL such as ${DEFAULT_URL}.`);
}

function chooseUrl(environment: CliEnvironment, saved: SavedKeys): string {
  return checkUrl(environment.url ?? saved.current ?? DEFAULT_URL);
}

function notLoggedIn(url: string, others: readonly string[]): Failure {
  const next = [`Log in:  platform-app login --url ${url}`];
  if (others.length > 0)
    next.push(`Or set PLATFORM_URL to a platform you are logged in to: ${others.join(", ")}`);
  const detail = `You are not logged in to ${url}. Create a key in Organization → API Keys, then log in.`;
  return new Failure("NOT_LOGGED_IN", detail, { next });
}

const NOTHING_SAVED: SavedKeys = { platforms: {} };

async function readSaved(file: string): Promise<SavedKeys> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Failure(
      "BAD_SAVED_LOGIN",
      `${file} cannot be read (${error.code ?? error.message}). Fix its permissions or log in again.`,
    );
  });
  if (text === undefined) return NOTHING_SAVED;
  const parsed = z.union([savedKeys, oneKey]).safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure("BAD_SAVED_LOGIN", `${file} is not valid. Run \`platform-app login\` again.`);
}
