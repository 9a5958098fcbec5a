import type { Command } from "commander";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { LoginOptions } from "./login";
import type { LogoutOptions } from "./logout";

export function addAccountCommands(program: Command, context: CliContext): void {
  const login = program
    .command("login")
    .description(
      "Log in with a client ID and API key from Publish apps → API Keys, and save them as a profile.",
    )
    .option("--client-id <id>", "client ID (or PLATFORM_CLIENT_ID)")
    .option("--api-key <key>", "API key (or PLATFORM_API_KEY, which other users of this machine cannot see)")
    .option("--url <address>", "URL of the platform's gateway (or PLATFORM_URL)")
    .action(async (options: LoginOptions) => (await import("./login")).login(context, options));
  withExamples(login, [
    "platform-app login",
    "platform-app login --url https://gateway.example.com",
    "platform-app login --url https://staging.example.com --profile staging",
  ]);
  const logout = program
    .command("logout")
    .description("Remove the profile in use. Its key stays valid until it is revoked.")
    .option("--all", "remove all profiles")
    .action(async (options: LogoutOptions) => (await import("./logout")).logout(context, options));
  withExamples(logout, ["platform-app logout", "platform-app logout --all"]);
  const whoami = program
    .command("whoami")
    .description("Show the organization this machine publishes for, and what its key may do.")
    .action(async () => (await import("./show-whoami")).showWhoami(context));
  withExamples(whoami, ["platform-app whoami", "platform-app whoami --json"]);
  addProfileCommands(program, context);
}

function addProfileCommands(program: Command, context: CliContext): void {
  const profiles = program
    .command("profiles")
    .description("Saved logins, for several platforms or organizations.");
  const list = profiles
    .command("list", { isDefault: true })
    .description("List the saved logins. `platform-app profiles` does the same.")
    .action(async () => (await import("./profiles")).listProfiles(context));
  withExamples(list, ["platform-app profiles", "platform-app profiles list --json"]);
  const use = profiles
    .command("use")
    .description("Use this profile from now on, unless --profile or PLATFORM_PROFILE names another one.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => (await import("./profiles")).useProfile(context, name));
  withExamples(use, ["platform-app profiles use staging"]);
  const remove = profiles
    .command("remove")
    .description("Remove a saved login. Its key stays valid until it is revoked.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => (await import("./profiles")).forgetProfile(context, name));
  withExamples(remove, ["platform-app profiles remove staging"]);
}
