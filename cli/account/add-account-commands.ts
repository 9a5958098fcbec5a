import type { Command } from "commander";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { LoginOptions } from "./login";
import type { LogoutOptions } from "./logout";

export function addAccountCommands(program: Command, context: CliContext): void {
  const login = program
    .command("login")
    .description("Log in with an API key from Publish apps → API Keys, and save it as a profile.")
    .option("--client-id <id>", "client ID of the key (or set PLATFORM_CLIENT_ID)")
    .option(
      "--api-key <key>",
      "API key (or set PLATFORM_API_KEY, which other users of this machine can't see)",
    )
    .option("--url <address>", "URL of the platform's gateway (or set PLATFORM_URL)")
    .action(async (options: LoginOptions) => (await import("./login")).login(context, options));
  withExamples(login, [
    "platform-app login",
    "platform-app login --url https://gateway.example.com",
    "platform-app login --url https://staging.example.com --profile staging",
  ]);
  const logout = program
    .command("logout")
    .description("Remove the profile in use. Its API key stays valid until you revoke it.")
    .option("--all", "remove all profiles")
    .action(async (options: LogoutOptions) => (await import("./logout")).logout(context, options));
  withExamples(logout, ["platform-app logout", "platform-app logout --all"]);
  const whoami = program
    .command("whoami")
    .description("Show the organization that you are logged in to, and the scopes of your API key.")
    .action(async () => (await import("./show-whoami")).showWhoami(context));
  withExamples(whoami, ["platform-app whoami", "platform-app whoami --json"]);
  addProfileCommands(program, context);
}

function addProfileCommands(program: Command, context: CliContext): void {
  const profiles = program
    .command("profiles")
    .description("Manage saved logins for several platforms or organizations.");
  const list = profiles
    .command("list", { isDefault: true })
    .description("List saved logins. `platform-app profiles` does the same.")
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
    .description("Remove a saved login. Its API key stays valid until you revoke it.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => (await import("./profiles")).forgetProfile(context, name));
  withExamples(remove, ["platform-app profiles remove staging"]);
}
