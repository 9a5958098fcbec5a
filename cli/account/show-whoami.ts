import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";

export async function showWhoami({ environment, terminal }: CliContext): Promise<void> {
  const credentials = await findCredentials(environment);
  const { organization, apiKey } = await whoami(credentials);
  const key = apiKey === undefined ? "" : `, with the API key "${visible(apiKey.name)}"`;
  terminal.result(
    `${visible(organization.name ?? organization.slug)} (${visible(organization.slug)})${key}, at ${credentials.url}`,
  );
  terminal.data({ url: credentials.url, organization, apiKey });
}
