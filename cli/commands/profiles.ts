/** `platform-app profiles`: the saved logins. */
import {
  chooseProfile,
  findProfile,
  NOTHING_SAVED,
  readProfiles,
  removeProfile,
  writeProfiles,
} from "../platform/credentials";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { alignRows, style } from "../terminal/format";

export async function listProfiles({ environment, terminal }: CliContext): Promise<void> {
  const { current, profiles } = await readProfiles(environment.credentialsFile);
  const chosen = environment.profile ?? current;
  const { dim, green } = style(terminal);
  if (profiles.length === 0) {
    terminal.result("You have no profiles yet.");
    terminal.result("Next:  platform-app login");
  } else {
    const rows = profiles.map(({ name, url, organization }) => [
      { text: name === chosen ? "*" : " ", paint: green },
      name,
      url,
      organization?.slug === undefined ? { text: "unknown", paint: dim } : visible(organization.slug),
      name === chosen ? "in use" : "",
    ]);
    const head = ["", "PROFILE", "URL", "ORGANIZATION", ""].map((text) => ({ text, paint: dim }));
    for (const line of alignRows([head, ...rows])) terminal.result(line);
    if (findOverriding(environment) !== undefined)
      terminal.note(`${findOverriding(environment)} is set and takes precedence over profiles.`);
  }
  for (const { name, url, organization } of profiles)
    terminal.data({ name, url, organization: organization ?? null, inUse: name === chosen });
}

export async function useProfile({ environment, terminal }: CliContext, name: string): Promise<void> {
  const file = environment.credentialsFile;
  const { profiles } = await readProfiles(file);
  const { url } = findProfile(profiles, name);
  await writeProfiles(file, { current: name, profiles });
  terminal.result(`Now using the profile "${name}" for ${url}.`);
  if (environment.profile !== undefined && environment.profile !== name)
    terminal.note(`PLATFORM_PROFILE is set to "${visible(environment.profile)}" and takes precedence.`);
  terminal.data({ profile: name, url });
}

export async function forgetProfile({ environment, terminal }: CliContext, name: string): Promise<void> {
  const file = environment.credentialsFile;
  const saved = await readProfiles(file);
  const { url } = findProfile(saved.profiles, name);
  const others = await removeProfile(file, name);
  terminal.result(`Removed the profile "${name}" for ${url}. Its API key stays valid until you revoke it.`);
  if (saved.current === name && others.length > 0)
    terminal.note("No profile is in use. Choose one:  platform-app profiles use <name>");
  terminal.data({ url, removed: [name] });
}

function findOverriding({ clientId, url }: CliContext["environment"]): string | undefined {
  if (clientId !== undefined) return "PLATFORM_CLIENT_ID";
  return url === undefined ? undefined : "PLATFORM_URL";
}

export interface LogoutOptions {
  all?: boolean;
}

export async function logout({ environment, terminal }: CliContext, options: LogoutOptions): Promise<void> {
  const file = environment.credentialsFile;
  if (options.all === true) {
    // A file that is not valid is removed, too.
    const { profiles } = await readProfiles(file).catch(() => NOTHING_SAVED);
    await writeProfiles(file, NOTHING_SAVED);
    terminal.result(
      profiles.length === 0
        ? "You have no saved profiles."
        : `Removed all profiles: ${profiles.map(({ name }) => name).join(", ")}.`,
    );
    return terminal.data({ url: null, removed: profiles.map(({ name }) => name) });
  }
  const saved = await readProfiles(file);
  if (saved.profiles.length === 0) {
    terminal.result("You are not logged in, so nothing was removed.");
    return terminal.data({ url: null, removed: [] });
  }
  const { name, url } = chooseProfile(environment, saved);
  const others = await removeProfile(file, name);
  terminal.result(`Logged out of ${url} and removed the profile "${name}".`);
  if (saved.current === name && others.length > 0)
    terminal.note("Choose another profile:  platform-app profiles use <name>");
  terminal.data({ url, removed: [name] });
}
