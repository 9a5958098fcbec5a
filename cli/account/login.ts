import { isCancel, password, text } from "@clack/prompts";
import { checkUrl, saveCredentials, DEFAULT_URL, type Credentials } from "../platform/credentials";
import type { CliContext, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { whoami } from "../platform/publish-api";

export interface LoginOptions {
  clientId?: string;
  apiKey?: string;
  url?: string;
}

/** Reads options, then the environment, then prompts. Saves the key only if the platform accepts it. */
export async function login({ environment, terminal }: CliContext, options: LoginOptions): Promise<void> {
  const url = checkUrl(options.url ?? environment.url ?? DEFAULT_URL);
  const clientId = options.clientId ?? environment.clientId ?? (await ask(terminal, askClientId));
  const apiKey = options.apiKey ?? environment.apiKey ?? (await ask(terminal, askApiKey));
  const credentials: Credentials = { url, clientId: clientId.trim(), apiKey: apiKey.trim() };
  const { organization } = await whoami(credentials);
  await saveCredentials(environment.credentialsFile, credentials);
  terminal.result(
    `Logged in as ${visible(organization.name ?? organization.slug)} (${visible(organization.slug)}) at ${url}.`,
  );
  terminal.data({ url, organization });
}

const required = (value: string | undefined) =>
  value === undefined || value.trim() === "" ? "This is required." : undefined;
const askClientId = () => text({ message: "Client ID", placeholder: "pci_…", validate: required });
const askApiKey = () => password({ message: "API Key", validate: required });

async function ask(terminal: Terminal, question: () => Promise<string | symbol>): Promise<string> {
  if (!terminal.interactive) {
    const message =
      "This terminal is not interactive. Pass --client-id and --api-key, or set PLATFORM_CLIENT_ID and PLATFORM_API_KEY.";
    throw new Failure("WRONG_USAGE", message);
  }
  const answer = await question();
  if (isCancel(answer) || typeof answer !== "string")
    throw new Failure("INTERRUPTED", "Stopped. Nothing was saved.");
  return answer;
}
