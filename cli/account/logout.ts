import { removeCredentials } from "../platform/credentials";
import type { CliContext } from "../terminal/environment";

export async function logout({ environment, terminal }: CliContext): Promise<void> {
  const url = await removeCredentials(environment);
  terminal.result(`Logged out of ${url}.`);
  terminal.data({ url });
}
