import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { parseJson } from "@/lib/contract/parse-json";
import type { CliEnvironment } from "./environment";
import { EXIT, Failure } from "./failure";
import { writePrivateJson } from "./private-file";

export const DEFAULT_URL = "http://127.0.0.1:4000";

const shape = z.object({ url: z.url(), clientId: z.string().min(1), apiKey: z.string().min(1) });
export type Credentials = z.infer<typeof shape>;

/** From the environment, otherwise from the file written by `login`. */
export async function findCredentials(environment: CliEnvironment): Promise<Credentials> {
  const saved = await readSaved(environment.credentialsFile);
  const { clientId, apiKey } = environment;
  if ((clientId === undefined) !== (apiKey === undefined)) {
    throw new Failure("Set both PLATFORM_CLIENT_ID and PLATFORM_API_KEY, or neither.", [], EXIT.usage);
  }
  const url = checkUrl(environment.url ?? saved?.url ?? DEFAULT_URL);
  if (clientId !== undefined && apiKey !== undefined) return { url, clientId, apiKey };
  if (saved !== undefined) return { ...saved, url };
  throw new Failure(
    "You are not logged in. Create a key in Organization → API Keys, then run `platform-app login`.",
  );
}

export async function saveCredentials(file: string, credentials: Credentials): Promise<void> {
  await writePrivateJson(file, credentials);
}

export async function removeCredentials(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** The origin of an http(s) URL. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Failure(`"${text}" is not a valid URL. Use one such as ${DEFAULT_URL}.`, [], EXIT.usage);
}

async function readSaved(file: string): Promise<Credentials | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Failure(
      `${file} cannot be read (${error.code ?? error.message}). Fix its permissions or log in again.`,
    );
  });
  if (text === undefined) return undefined;
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure(`${file} is not valid. Run \`platform-app login\` again.`);
}
