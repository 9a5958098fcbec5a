/** What runs the app: a container, or a process on this machine. */
import { createServer } from "node:net";
import type { ReasonCode } from "@/lib/contract/instance-reasons";

export interface AppExit {
  code: ReasonCode;
  /** Completes "The app …", such as "exited with code 1". */
  reason: string;
}

export interface RunningApp {
  /** On 127.0.0.1. */
  port: number;
  exited: Promise<AppExit>;
  /** SIGTERM, then SIGKILL after the grace. Resolves when everything of it is gone. */
  stop(graceMs: number): Promise<"ended" | "killed">;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

export interface Runner {
  how: "container" | "process";
  /** The command, or the image. */
  what: string;
  /** What the app must call instead of 127.0.0.1 to reach the emulator, and where the emulator listens for that. */
  host: { name: string; listen: string };
  /** Builds the image, if there is one. Throws a BuildFailure. */
  prepare(onLine: (line: string) => void): Promise<void>;
  start(stateApi: string, onLine: (stream: "stdout" | "stderr", line: string) => void): Promise<RunningApp>;
  /** Removes whatever is left. */
  close(): Promise<void>;
}

/** The image could not be built. */
export class BuildFailure extends Error {
  constructor(
    message: string,
    /** The base image could not be fetched, so the app's own files may be right. */
    readonly isOffline: boolean,
  ) {
    super(message);
    this.name = "BuildFailure";
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
