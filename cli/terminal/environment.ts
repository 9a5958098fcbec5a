/** The command line's environment: variables, files and terminal. Variables are read only here. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { ADDRESSES_FILE } from "@/lib/contract/catalog/publish-commands";

/** What every command gets. */
export interface CliContext {
  environment: CliEnvironment;
  terminal: Terminal;
}

export interface CliEnvironment {
  clientId: string | undefined;
  apiKey: string | undefined;
  url: string | undefined;
  /** The gateway of the platform that this tool was installed from. */
  ownUrl: string;
  /** From `--profile` or PLATFORM_PROFILE. */
  profile: string | undefined;
  /** Undefined if no variable names a proxy. */
  proxies: ProxySettings | undefined;
  /** For `publish --from`. Sent with the request, and not kept. */
  registryUsername: string | undefined;
  registryPassword: string | undefined;
  credentialsFile: string;
  /** The last pulls and pushes; see cli/manifest/synced-manifests.ts. */
  syncedFile: string;
  /** What may be lost, such as the answers of made-up customers: see cli/dev. */
  stateFolder: string;
  /** For programs that the command line starts: everything but the platform's credentials. */
  inherited: Readonly<Record<string, string | undefined>>;
  /** An upload that makes no progress for this long has stalled. */
  uploadIdleMs: number;
  /** How long to wait before each attempt to continue an upload whose connection broke. */
  uploadRetryMs: readonly number[];
}

/** For requests to the platform. Empty: no proxy, no exceptions. */
export interface ProxySettings {
  http: string;
  https: string;
  /** Hosts that are reached directly. */
  exceptions: string;
}

export function readCliEnvironment(source: Record<string, string | undefined> = process.env): CliEnvironment {
  const configHome = source.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  const stateHome = source.XDG_STATE_HOME || path.join(homedir(), ".local", "state");
  return {
    clientId: readWord(source.PLATFORM_CLIENT_ID),
    apiKey: readWord(source.PLATFORM_API_KEY),
    url: readWord(source.PLATFORM_URL),
    ownUrl: readOwnUrl(),
    profile: readWord(source.PLATFORM_PROFILE),
    proxies: readProxies(source),
    registryUsername: readWord(source.REGISTRY_USERNAME),
    registryPassword: readWord(source.REGISTRY_PASSWORD),
    credentialsFile: path.join(configHome, "platform-app", "credentials.json"),
    syncedFile: path.join(configHome, "platform-app", "manifests.json"),
    stateFolder: path.join(stateHome, "platform-app"),
    inherited: withoutCredentials(source),
    uploadIdleMs: 60_000,
    uploadRetryMs: [500, 1_000, 2_000, 4_000, 8_000, 15_000],
  };
}

/** A tool that no platform packed, such as a developer's, uses the platform on this machine. */
const LOCAL_URL = "http://127.0.0.1:4000";

/** @param folder the program's */
export function readOwnUrl(folder = new URL(".", import.meta.url)): string {
  try {
    const { gatewayUrl } = JSON.parse(readFileSync(new URL(ADDRESSES_FILE, folder), "utf8"));
    return new URL(gatewayUrl).origin;
  } catch {
    return LOCAL_URL;
  }
}

/** Files and forms for secrets often add quotes or a line break at the ends, where no key, password or URL has them. */
export function readWord(value = ""): string | undefined {
  const text = value.trim();
  return (/^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text) || undefined;
}

/** From the variables that other programs read, too, in either case. */
function readProxies(source: Record<string, string | undefined>): ProxySettings | undefined {
  const read = (name: string) => source[name.toLowerCase()] || source[name] || "";
  const [http, https] = [read("HTTP_PROXY"), read("HTTPS_PROXY")];
  return http === "" && https === "" ? undefined : { http, https, exceptions: read("NO_PROXY") };
}

const CREDENTIALS = ["PLATFORM_CLIENT_ID", "PLATFORM_API_KEY", "REGISTRY_USERNAME", "REGISTRY_PASSWORD"];

function withoutCredentials(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !CREDENTIALS.includes(name)));
}

/** Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Whether prompts and progress bars make sense. */
  interactive: boolean;
  /** Whether texts may be styled. */
  color: boolean;
  /** How wide it is. */
  columns: number;
  /** Whether the reader is a program (`--json`). */
  json: boolean;
  /** A line of the result, for people. Nothing with `--json`. */
  result(line: string): void;
  /** The result, for programs: one line of JSON with `--json`, otherwise nothing. Streams call it for each entry. */
  data(value: unknown): void;
  note(line: string): void;
  /** Replaces the last drawn line. Only if interactive. */
  draw(line: string): void;
  /** Asks a yes/no question. Only if interactive. */
  confirm(question: string): Promise<boolean>;
}

export function processTerminal(source: Record<string, string | undefined> = process.env): Terminal {
  const isDumb = source.TERM === "dumb";
  const isTerminal = process.stdout.isTTY && process.stderr.isTTY && !isDumb;
  return {
    input: () => process.stdin,
    interactive: process.stdin.isTTY && process.stderr.isTTY && !isDumb && !isAutomated(source),
    color: source.NO_COLOR ? false : isForced(source.FORCE_COLOR) || isTerminal,
    columns: process.stdout.columns ?? 100,
    json: false,
    result: (line) => void process.stdout.write(`${line}\n`),
    data: () => {},
    note: (line) => void process.stderr.write(`${line}\n`),
    draw: (line) => void process.stderr.write(`\r\u001B[2K${line}`),
    confirm: async (message) => {
      const { confirm } = await import("@clack/prompts");
      return (await confirm({ message, output: process.stderr })) === true;
    },
  };
}

/** What build services set. Some run commands in a terminal, in which nobody answers a question. */
const AUTOMATIONS = [
  "CI",
  "BUILDKITE",
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "JENKINS_URL",
  "TEAMCITY_VERSION",
  "TF_BUILD",
];

export function isAutomated(source: Record<string, string | undefined>): boolean {
  return AUTOMATIONS.some((name) => isForced(source[name]?.toLowerCase()));
}

function isForced(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

/** The same terminal for a program: one line of JSON for each result, no prompts, no color. */
export function toJsonTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    interactive: false,
    color: false,
    json: true,
    result: () => {},
    data: (value) => terminal.result(JSON.stringify(value)),
  };
}
