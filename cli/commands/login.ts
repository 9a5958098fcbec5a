import { isCancel, password, text } from "@clack/prompts";
import {
  checkKey,
  checkProfileName,
  checkUrl,
  type Credentials,
  DEFAULT_PROFILE,
  findCredentials,
  freeName,
  NOTHING_SAVED,
  readProfiles,
  type SavedProfiles,
  saveProfile,
} from "../platform/credentials";
import { findGateway } from "../platform/call-platform";
import { whoami } from "../platform/publish-api";
import { type CliContext, readWord, type Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { alignRows } from "../terminal/format";

export interface LoginOptions {
  clientId?: string;
  apiKey?: string;
  url?: string;
}

/** Reads options, then the environment, then prompts. Saves the key only if the platform accepts it. */
export async function login({ environment, terminal }: CliContext, options: LoginOptions): Promise<void> {
  const file = environment.credentialsFile;
  const asked = environment.profile === undefined ? undefined : checkProfileName(environment.profile);
  // A login replaces a file that is not valid.
  const saved = await readProfiles(file).catch(() => NOTHING_SAVED);
  const again = saved.profiles.find(({ name }) => name === (asked ?? saved.current));
  const given = checkUrl(readWord(options.url) ?? environment.url ?? again?.url ?? environment.ownUrl);
  // The key goes to the gateway only. The address of the pages is the one that people know.
  const url = (await findGateway({ url: given, proxies: environment.proxies })) ?? given;
  if (url !== given) terminal.note(`${given} serves the platform's pages. Its gateway is ${url}.`);
  const asOption = { clientId: readWord(options.clientId), apiKey: readWord(options.apiKey) };
  const isPrompting = (asOption.clientId ?? environment.clientId) === undefined;
  if (isPrompting && terminal.interactive)
    terminal.note(`Logging in to ${url}. Create an API key in Publish apps → API keys.`);
  const key = {
    clientId: asOption.clientId ?? environment.clientId ?? (await ask(terminal, askClientId)),
    apiKey: asOption.apiKey ?? environment.apiKey ?? (await ask(terminal, askApiKey)),
  };
  checkKey(key);
  const credentials: Credentials = { url, ...key, proxies: environment.proxies };
  const { organization, webUrl } = await whoami(credentials);
  const { slug, name: title = slug } = organization;
  const name = asked ?? chooseName(saved, { url, slug, clientId: key.clientId });
  const isSaved = await saveProfile(file, { name, url, ...key, organization, webUrl }, name).then(
    () => true,
    () => false,
  );
  terminal.result(`Logged in as ${visible(title)} (${visible(slug)}) at ${url}.`);
  if (!isSaved)
    terminal.note(
      `Warning: ${file} can't be written, so the login is not saved. Set XDG_CONFIG_HOME to a folder that can be written, or pass the key in PLATFORM_CLIENT_ID and PLATFORM_API_KEY.`,
    );
  else if (name !== DEFAULT_PROFILE)
    terminal.result(`Saved the login as the profile "${name}", which is now in use.`);
  terminal.result("Next:  platform-app publish --build .");
  terminal.data({ profile: name, url, webUrl, organization, saved: isSaved });
}

/** Without `--profile`: the profile of this organization, or a new one, so that no other organization's key is lost. */
function chooseName(
  { current, profiles }: SavedProfiles,
  { url, slug, clientId }: { url: string; slug: string; clientId: string },
): string {
  // A profile of an earlier version may lack its organization.
  const same = profiles.filter(
    (each) => each.url === url && (each.organization?.slug === slug || each.clientId === clientId),
  );
  const again = same.find(({ name }) => name === current) ?? same[0];
  if (again !== undefined) return again.name;
  return profiles.some(({ name }) => name === DEFAULT_PROFILE) ? freeName(profiles, slug) : DEFAULT_PROFILE;
}

const required = (value: string | undefined) =>
  value === undefined || value.trim() === "" ? "This is required." : undefined;
const askClientId = () => text({ message: "Client ID", placeholder: "pci_…", validate: required });
const askApiKey = () => password({ message: "API key", validate: required });

async function ask(terminal: Terminal, question: () => Promise<string | symbol>): Promise<string> {
  if (!terminal.interactive) {
    const message =
      "This terminal is not interactive. Pass --client-id and --api-key, or set PLATFORM_CLIENT_ID and PLATFORM_API_KEY.";
    throw new Failure("WRONG_USAGE", message);
  }
  const answer = await question();
  if (isCancel(answer) || typeof answer !== "string")
    throw new Failure("INTERRUPTED", "Stopped. Nothing was saved.");
  return readWord(answer) ?? "";
}

export async function showWhoami({ environment, terminal }: CliContext): Promise<void> {
  const credentials = await findCredentials(environment);
  const { profile, url } = credentials;
  const { organization, apiKey, webUrl } = await whoami(credentials);
  if (profile !== undefined) await refresh(environment.credentialsFile, profile, { organization, webUrl });
  const { slug, name = slug } = organization;
  const scopes = apiKey?.scopes ?? [];
  const rows = [
    ["Organization", `${visible(name)} (${visible(slug)})`],
    ["Profile", profile ?? "none (the API key is from PLATFORM_CLIENT_ID and PLATFORM_API_KEY)"],
    ["Platform", url],
    ...(apiKey === undefined ? [] : [["API key", visible(apiKey.name)]]),
    ...(scopes.length === 0 ? [] : [["Scopes", visible(scopes.join(", "))]]),
  ];
  for (const line of alignRows(rows)) terminal.result(line);
  terminal.data({ profile: profile ?? null, url, webUrl, organization, apiKey });
}

type Told = Pick<Awaited<ReturnType<typeof whoami>>, "organization" | "webUrl">;

/** What an older profile lacks, and what has changed since the login. */
async function refresh(file: string, profile: string, told: Told): Promise<void> {
  const { current, profiles } = await readProfiles(file);
  const saved = profiles.find(({ name }) => name === profile);
  if (saved === undefined) return;
  const isSame =
    saved.webUrl === told.webUrl &&
    saved.organization?.slug === told.organization.slug &&
    saved.organization.name === told.organization.name;
  // The answer is known, so a folder that can't be written is not a failure.
  if (!isSame) await saveProfile(file, { ...saved, ...told }, current).catch(() => {});
}
