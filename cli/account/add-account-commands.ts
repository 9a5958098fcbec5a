import type { Command } from "commander";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { LoginOptions } from "./login";

export function addAccountCommands(program: Command, context: CliContext): void {
  const login = program
    .command("login")
    .description("Log in with a client ID and API key from Organization → API Keys.")
    .option("--client-id <id>", "client ID (or PLATFORM_CLIENT_ID)")
    .option("--api-key <key>", "API key (or PLATFORM_API_KEY, which other users of this machine cannot see)")
    .option("--url <address>", "URL of the platform's gateway (or PLATFORM_URL)")
    .action(async (options: LoginOptions) => (await import("./login")).login(context, options));
  withExamples(login, ["platform-app login", "platform-app login --url https://gateway.example.com"]);
  const logout = program
    .command("logout")
    .description("Remove the platform's saved key. The key stays valid until it is revoked.")
    .action(async () => (await import("./logout")).logout(context));
  withExamples(logout, ["platform-app logout"]);
  const whoami = program
    .command("whoami")
    .description("Show the organization this machine publishes for.")
    .action(async () => (await import("./show-whoami")).showWhoami(context));
  withExamples(whoami, ["platform-app whoami", "platform-app whoami --json"]);
}
