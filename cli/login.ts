import { isCancel, password, text } from "@clack/prompts";
import { checkUrl, saveCredentials, STANDARD_URL, type Credentials } from "./credentials";
import type { CliEnvironment } from "./environment";
import { EXIT, Failure, visible } from "./failure";
import { whoami } from "./publish-api";
import type { Terminal } from "./terminal";

export interface LoginOptions {
  clientId?: string;
  apiKey?: string;
  url?: string;
}

/** Flags first, then the environment, then questions. Saved only when the platform knows them. */
export async function login(
  environment: CliEnvironment,
  terminal: Terminal,
  options: LoginOptions,
): Promise<void> {
  const url = checkUrl(options.url ?? environment.url ?? STANDARD_URL);
  const clientId = options.clientId ?? environment.clientId ?? (await ask(terminal, askClientId));
  const apiKey = options.apiKey ?? environment.apiKey ?? (await ask(terminal, askApiKey));
  const credentials: Credentials = { url, clientId: clientId.trim(), apiKey: apiKey.trim() };
  const { organization } = await whoami(credentials);
  await saveCredentials(environment.credentialsFile, credentials);
  terminal.result(
    `Logged in for ${visible(organization.name ?? organization.slug)} (${visible(organization.slug)}) at ${url}.`,
  );
}

const required = (value: string | undefined) =>
  value === undefined || value.trim() === "" ? "It cannot be empty." : undefined;
const askClientId = () => text({ message: "Client ID", placeholder: "pci_…", validate: required });
const askApiKey = () => password({ message: "API Key", validate: required });

async function ask(terminal: Terminal, question: () => Promise<string | symbol>): Promise<string> {
  if (!terminal.interactive) {
    const message =
      "Nobody is here to ask. Give --client-id and --api-key, or set PLATFORM_CLIENT_ID and PLATFORM_API_KEY.";
    throw new Failure(message, [], EXIT.usage);
  }
  const answer = await question();
  if (isCancel(answer) || typeof answer !== "string")
    throw new Failure("Stopped. Nothing was saved.", [], EXIT.interrupted);
  return answer;
}
