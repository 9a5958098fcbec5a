import { Problem } from "@/lib/contract/problem";
import type { ReasonCode } from "@/lib/contract/instance-reasons";
import { isStatus, isUnreachable } from "./docker-engine";
import { InstanceFailure } from "./instance-failure";

/**
 * Engines have no codes for what failed, only statuses and texts. Docker: "network … not found", "failed to set up container
 * networking", "driver failed programming external connectivity", "port is already allocated". Podman: "netavark: …".
 */
const NETWORK = /\bnetwork(ing)?\b|netavark|external connectivity|port is already allocated|iptables/i;

/** The image went missing between two requests, for example because somebody removed all unused images. */
const NO_IMAGE = /no such image/i;

/** What the engine's client writes before the engine's own text, such as "(HTTP code 400) unexpected - ". */
const CLIENT_PREFIX = /^\(HTTP code \d+\) (?:[a-z ]+ - )?/;

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
  const message = error.message.replace(CLIENT_PREFIX, "");
  const failure = (code: ReasonCode, detail: string) => new InstanceFailure(code, detail);
  if (isUnreachable(error))
    return failure(
      "ENGINE_UNREACHABLE",
      `The container engine does not respond (${message}). Start it, then launch again.`,
    );
  if (!("statusCode" in error)) return error;
  // The command's error quotes the image's own text, so it is recognized first.
  if (isCommandError(error))
    return failure("COMMAND_NOT_STARTED", `The container engine cannot start the app: ${message}`);
  if (NETWORK.test(message))
    return failure(
      "NETWORK_FAILED",
      `The container engine cannot connect the app to its network: ${message}`,
    );
  if (isStatus(error, 400, 404) && !NO_IMAGE.test(message))
    return failure("COMMAND_NOT_STARTED", `The container engine cannot start the app: ${message}`);
  return failure("ENGINE_FAILED", `The container engine failed: ${message}`);
}

/** "OCI runtime create failed: … exec: …" (Docker, Podman), "No command specified" (Docker). */
function isCommandError(error: Error): boolean {
  return isStatus(error, 400, 404) && /OCI runtime|\bexec\b|no command specified/i.test(error.message);
}
