/** Why a container ended, as its engine tells it. */
import type Docker from "dockerode";
import { z } from "zod";
import { MEBIBYTE } from "./docker-container";
import { describeExit, type Ending } from "./runtime";

/** What `inspect` says of a container. */
interface Ended {
  Id: string;
  State: { OOMKilled: boolean; ExitCode: number; Error: string };
  /** 0 or undefined if it has no limit of its own. */
  HostConfig: { Memory?: number | undefined };
}

export async function describeEnd(docker: Docker, { Id, State, HostConfig }: Ended): Promise<Ending> {
  const exitCode = State.ExitCode;
  if (State.OOMKilled) {
    const limit = HostConfig.Memory
      ? `${Math.round(HostConfig.Memory / MEBIBYTE)} MiB of memory`
      : "its memory";
    const reason = `was killed by the kernel because it used more than ${limit}`;
    return { code: "OOM_KILLED", reason, exitCode };
  }
  if (State.Error !== "")
    return { code: "COMMAND_NOT_STARTED", reason: `could not be started: ${State.Error}`, exitCode };
  if (await hasEndedByItself(docker, Id)) return describeExit(exitCode);
  const reason = "was stopped by something else, for example a restart of the container engine";
  return { code: "INTERRUPTED", reason, exitCode };
}

/** For an engine whose clock is behind. Only an exit of which the engine knows nothing takes this long. */
const WAIT_SECONDS = 1;
const event = z.object({ Action: z.string() });

/**
 * An engine remembers the last 256 events until it ends itself. It notes `kill` when somebody asks it to end a container, also
 * when it shuts down, and `die` when the process has ended. After it was killed, it knows neither. So a process that ended by
 * itself has a `die`, and no `kill` before it.
 */
async function hasEndedByItself(docker: Docker, id: string): Promise<boolean> {
  const events = await docker.getEvents({
    since: 0,
    until: Date.now() / 1000 + WAIT_SECONDS,
    filters: { type: ["container"], container: [id], event: ["die", "kill"] },
  });
  let text = "";
  for await (const chunk of events) {
    text += chunk.toString();
    const [line, ...rest] = text.split("\n");
    // Leaving the loop closes the connection.
    if (line !== undefined && rest.length > 0) return event.parse(JSON.parse(line)).Action === "die";
  }
  return false;
}
