/** How a Docker engine reports errors, output, and ports. */
import { readdir, readFile } from "node:fs/promises";
import Docker from "dockerode";
import { Problem } from "@/lib/contract/platform/problem";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { type Listener, parseListeners } from "@/lib/domain/runtime/instance";
import { findEngineConfig, leavesFirewallAlone } from "@/lib/domain/runtime/isolation";
import { InstanceFailure, quoteMessage } from "./runtime";

const PING_MS = 3_000;

/** Undefined if the engine responds within 3 seconds; otherwise the reason why not. */
export async function findEngineFailure(docker = new Docker()): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no response within ${PING_MS / 1000} s`), PING_MS);
  });
  const ping = docker.ping().then(
    () => undefined,
    (error: unknown) => quoteMessage(error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([ping, timeout]).finally(() => clearTimeout(timer));
}

/** Whether the engine responded with one of these HTTP statuses. */
export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return (
    error instanceof Error &&
    "statusCode" in error &&
    typeof error.statusCode === "number" &&
    statuses.includes(error.statusCode)
  );
}

/** Waits for work that may fail with one of these statuses. */
export async function ignoring(statuses: number[], work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isStatus(error, ...statuses)) throw error;
  }
}

/** Whether nothing responded: no socket, no permission to use it, or the engine is down. */
export function isUnreachable(error: unknown): boolean {
  const codes = ["ENOENT", "ECONNREFUSED", "EACCES", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"];
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}

const HEADER_BYTES = 8;

/** Joins the frames of the engine's log stream: 1 byte stream, 3 bytes zero, 4 bytes length, then the output. */
export function joinFrames(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= raw.length) {
    const length = raw.readUInt32BE(at + 4);
    parts.push(raw.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length));
    at += HEADER_BYTES + length;
  }
  return Buffer.concat(parts);
}

/**
 * What a process's network namespace listens on, according to the kernel. Undefined if that table cannot be read: another operating system, a remote engine, or no permission.
 */
export async function readListeners(pid: number): Promise<Listener[] | undefined> {
  try {
    const [tcp, tcp6] = await Promise.all([
      readFile(`/proc/${pid}/net/tcp`, "utf8"),
      // A kernel without IPv6 has no such table.
      readFile(`/proc/${pid}/net/tcp6`, "utf8").catch(() => ""),
    ]);
    return parseListeners(`${tcp}\n${tcp6}`);
  } catch {
    return undefined;
  }
}

/**
 * Whether the Docker engine beside this process was told to leave the firewall alone, which it doesn't report. Undefined if it isn't among the
 * processes that this one sees.
 */
export async function readFirewallSetting(): Promise<boolean | undefined> {
  const read = (file: string) => readFile(file, "utf8").catch(() => "");
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(pids.map((pid) => read(`/proc/${pid}/comm`)));
  const engines = pids.filter((_, index) => names[index]?.trim() === "dockerd");
  if (engines.length === 0) return undefined;
  const found = engines.map(async (pid) => {
    const args = (await read(`/proc/${pid}/cmdline`)).split("\0");
    return leavesFirewallAlone(args, await read(findEngineConfig(args)));
  });
  return (await Promise.all(found)).includes(true);
}

/**
 * Engines have no codes for what failed, only statuses and texts. Docker: "network … not found", "failed to set up container
 * networking", "driver failed programming external connectivity", "port is already allocated". Podman: "netavark: …".
 */
const NETWORK = /\bnetwork(ing)?\b|netavark|external connectivity|port is already allocated|iptables/i;

/** The image went missing between two requests, for example because somebody removed all unused images. */
const NO_IMAGE = /no such image/i;

/** A path of the image's own configuration, such as its working folder, that no folder can have. */
const IMAGE_PATH =
  /\b(lstat|stat|mkdir|chdir)\b[^:]*: (invalid argument|not a directory|file name too long|too many levels of symbolic links)|cannot mkdir: .* is not a directory/i;

/** What the engine's client writes before the engine's own text, such as "(HTTP code 400) unexpected - ". */
export const CLIENT_PREFIX = /^\(HTTP code \d+\) (?:[a-z ]+ - )?/;

/** The engine's own init is not installed. Docker: `exec: "docker-init": executable file not found in $PATH`. Podman: catatonit. */
export function isInitMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /(docker-init|catatonit|container-init).*(not found|no such file)/i.test(error.message)
  );
}

/** Turns errors of the engine into reasons. */
export async function explainEngineErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw explainEngineError(error);
  }
}

/** Only what the image itself causes is its publisher's fault. Anything that isn't the engine's error is returned as it is. */
export function explainEngineError(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  const message = quoteMessage(error.message.replace(CLIENT_PREFIX, ""));
  const failure = (code: ReasonCode, detail: string) => new InstanceFailure(code, detail);
  if (isUnreachable(error))
    return failure(
      "ENGINE_UNREACHABLE",
      `The container engine does not respond (${message}). Start it, then launch again.`,
    );
  if (!("statusCode" in error)) return error;
  // The command's error quotes the image's own text, so it is recognized first.
  if (isCommandError(error))
    return failure("COMMAND_NOT_STARTED", `The container engine cannot start the app: ${message}.`);
  if (IMAGE_PATH.test(message))
    return failure(
      "COMMAND_NOT_STARTED",
      `The container engine cannot use the folder that the image works in: ${message}.`,
    );
  if (NETWORK.test(message))
    return failure(
      "NETWORK_FAILED",
      `The container engine cannot connect the app to its network: ${message}.`,
    );
  if (isStatus(error, 400, 404) && !NO_IMAGE.test(message))
    return failure("COMMAND_NOT_STARTED", `The container engine cannot start the app: ${message}.`);
  return failure("ENGINE_FAILED", `The container engine failed: ${message}.`);
}

/** "OCI runtime create failed: … exec: …" (Docker, Podman), "No command specified" (Docker). */
function isCommandError(error: Error): boolean {
  return isStatus(error, 400, 404) && /OCI runtime|\bexec\b|no command specified/i.test(error.message);
}
