/** For tests: a real OCI registry (Debian's `docker-registry`) on the loopback, in a folder of its own. */
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { freePort } from "@/lib/server/runtimes/free-port";

const PROGRAM = "/usr/bin/docker-registry";

/** Why no registry can run here; undefined if one can. */
export async function findRegistryFailure(): Promise<string | undefined> {
  return access(PROGRAM, constants.X_OK).then(
    () => undefined,
    () => "docker-registry is not installed",
  );
}

export interface RegistryServer {
  origin: string;
  /** `<user>:<password>` */
  credentials: string;
  end(): Promise<void>;
}

/** @param credentials required of every request; empty for none. `hash` is the password's bcrypt hash. */
export async function startRegistry({ credentials = "", hash = "" } = {}): Promise<RegistryServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "registry-"));
  const port = await freePort();
  const htpasswd = path.join(folder, "htpasswd");
  await writeFile(htpasswd, `${credentials.split(":")[0] ?? ""}:${hash}\n`);
  const config = {
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: path.join(folder, "data") }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}` },
    ...(credentials !== "" && { auth: { htpasswd: { realm: "test", path: htpasswd } } }),
  };
  const file = path.join(folder, "config.yml");
  await writeFile(file, JSON.stringify(config));
  const child = spawn(PROGRAM, ["serve", file], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  const end = async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const answers = await request(`${origin}/v2/`).then(
      async ({ body }) => (await body.dump(), true),
      () => false,
    );
    if (answers) return { origin, credentials, end };
    await sleep(50);
  }
  await end();
  throw new Error("the registry did not start");
}
