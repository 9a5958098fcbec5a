/** The command line's environment: variables, files and terminal. Variables are read only here. */

import { confirm } from "@clack/prompts";
import { homedir } from "node:os";
import path from "node:path";

export interface CliEnvironment {
  clientId: string | undefined;
  apiKey: string | undefined;
  url: string | undefined;
  /** For `publish --from`. Sent with the request, and not kept. */
  registryUsername: string | undefined;
  registryPassword: string | undefined;
  credentialsFile: string;
  /** The last pulls and pushes; see synced-manifests.ts. */
  syncedFile: string;
  /** An upload that makes no progress for this long has stalled. */
  uploadIdleMs: number;
  /** How long to wait before each attempt to continue an upload whose connection broke. */
  uploadRetryMs: readonly number[];
}

export function readCliEnvironment(source: Record<string, string | undefined> = process.env): CliEnvironment {
  const configHome = source.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return {
    clientId: source.PLATFORM_CLIENT_ID || undefined,
    apiKey: source.PLATFORM_API_KEY || undefined,
    url: source.PLATFORM_URL || undefined,
    registryUsername: source.REGISTRY_USERNAME || undefined,
    registryPassword: source.REGISTRY_PASSWORD || undefined,
    credentialsFile: path.join(configHome, "platform-app", "credentials.json"),
    syncedFile: path.join(configHome, "platform-app", "manifests.json"),
    uploadIdleMs: 60_000,
    uploadRetryMs: [500, 1_000, 2_000, 4_000, 8_000, 15_000],
  };
}

/** Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Whether prompts and progress bars make sense. */
  interactive: boolean;
  result(line: string): void;
  note(line: string): void;
  /** Replaces the last drawn line. Only if interactive. */
  draw(line: string): void;
  /** Asks a yes/no question. Only if interactive. */
  confirm(question: string): Promise<boolean>;
}

export function processTerminal(): Terminal {
  const interactive = process.stdin.isTTY && process.stderr.isTTY;
  return {
    input: () => process.stdin,
    interactive,
    result: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    draw: (line) => void process.stderr.write(`\r\u001B[2K${line}`),
    confirm: async (message) => (await confirm({ message, output: process.stderr })) === true,
  };
}
