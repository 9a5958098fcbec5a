/** `platform-app dev` as a process, in a copy of an example's folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const PROGRAM = path.resolve("cli/dist/platform-app.js");

export async function copyExample(name: string) {
  const root = await mkdtemp(path.join(tmpdir(), "platform-dev-"));
  const folder = path.join(root, name);
  await cp(path.resolve("examples", name), folder, { recursive: true });
  return {
    folder,
    manifest: path.join(folder, "platform-app.json"),
    stateFolder: path.join(root, "state"),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

interface RunningDev {
  url: string;
  readOutput: () => string;
  /** As Ctrl-C does. */
  stop: () => Promise<void>;
}

/** @param port 0 for a free one */
export async function startDev(
  { folder, stateFolder }: { folder: string; stateFolder: string },
  port = 0,
): Promise<RunningDev> {
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, "dev", "--no-browser", "--no-container", "--port", String(port)],
      ...["--", process.execPath, "server.mjs"],
    ],
    {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: stateFolder },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then(() => reject(new Error(`platform-app dev ended:\n${output}`)));
  });
  return {
    url,
    readOutput: () => output,
    stop: async () => {
      child.kill("SIGINT");
      await exited;
    },
  };
}
