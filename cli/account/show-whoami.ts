import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import { readProfiles, saveProfile } from "../platform/saved-profiles";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { alignRows } from "../terminal/table";

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
