import { chooseProfile } from "../platform/credentials";
import { NOTHING_SAVED, readProfiles, removeProfile, writeProfiles } from "../platform/saved-profiles";
import type { CliContext } from "../terminal/environment";

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
    return terminal.data({ removed: profiles.map(({ name }) => name) });
  }
  const saved = await readProfiles(file);
  if (saved.profiles.length === 0) {
    terminal.result("You are not logged in, so nothing was removed.");
    return terminal.data({ removed: [] });
  }
  const { name, url } = chooseProfile(environment, saved);
  const others = await removeProfile(file, name);
  terminal.result(`Logged out of ${url} and removed the profile "${name}".`);
  if (saved.current === name && others.length > 0)
    terminal.note("Choose another profile:  platform-app profiles use <name>");
  terminal.data({ url, removed: [name] });
}
