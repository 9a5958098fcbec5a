/** Runs the app as a process of this machine. Nothing isolates it, so it is asked to listen on this machine only. */
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "./child";
import { freePort, type Runner } from "./runner";

const LOOPBACK = "127.0.0.1";

export function processRunner(
  command: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Runner {
  return {
    how: "process",
    what: command.join(" "),
    host: { name: LOOPBACK, listen: LOOPBACK },
    prepare: async () => undefined,
    close: async () => undefined,
    start: async (stateApi, onLine) => {
      const port = await freePort();
      const child = startChild({
        command,
        cwd: folder,
        environment: {
          ...environment,
          PLATFORM_PORT: String(port),
          PLATFORM_STATE_API: stateApi,
          HOST: LOOPBACK,
        },
        onLine,
        guarded: true,
      });
      const exited = child.exited.then(
        ({ code, reason }) => ({ code: code === null ? "COMMAND_NOT_STARTED" : "EXITED", reason }) as const,
      );
      return {
        port,
        exited,
        stop: async (graceMs) => {
          child.signal("SIGTERM");
          const ended = await Promise.race([exited.then(() => true), sleep(graceMs, false, { ref: false })]);
          // Also what the app started itself, even if the app has ended.
          child.signal("SIGKILL");
          await exited;
          return ended ? "ended" : "killed";
        },
        kill: async () => {
          child.signal("SIGKILL");
          await exited;
        },
      };
    },
  };
}
