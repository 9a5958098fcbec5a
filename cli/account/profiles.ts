/** `platform-app profiles`: the saved logins. */
import { findProfile } from "../platform/credentials";
import { readProfiles, removeProfile, writeProfiles } from "../platform/saved-profiles";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { alignRows } from "../terminal/table";

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
  terminal.data({
    profiles: profiles.map(({ name, url, organization }) => ({
      ...{ name, url, organization: organization ?? null },
      inUse: name === chosen,
    })),
  });
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
  terminal.data({ removed: [name] });
}

function findOverriding({ clientId, url }: CliContext["environment"]): string | undefined {
  if (clientId !== undefined) return "PLATFORM_CLIENT_ID";
  return url === undefined ? undefined : "PLATFORM_URL";
}
