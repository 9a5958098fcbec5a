/** For tests: a real OCI registry (Debian's `docker-registry`) on the loopback, in a folder of its own. */
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { freePort } from "@/lib/server/platform/machine";

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
  /** Where it stores a blob. */
  locate(digest: string): string;
  /** The digests of the blobs in the repository `platform/apps`. A deleted one is not among them, although its bytes stay. */
  listBlobs(): Promise<string[]>;
  end(): Promise<void>;
}

/**
 * @param credentials required of every request; empty for none. `hash` is the password's bcrypt hash.
 * @param issuesTokens whether it requires a token of a token server, which gives one to everybody who names what it is for
 */
export async function startRegistry({
  credentials = "",
  hash = "",
  issuesTokens = false,
} = {}): Promise<RegistryServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "registry-"));
  const port = await freePort();
  const htpasswd = path.join(folder, "htpasswd");
  await writeFile(htpasswd, `${credentials.split(":")[0] ?? ""}:${hash}\n`);
  const issuer = issuesTokens ? await startIssuer() : undefined;
  const config = {
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: path.join(folder, "data") }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}` },
    ...(credentials !== "" && { auth: { htpasswd: { realm: "test", path: htpasswd } } }),
    // This registry refuses requests without a token, and doesn't read the ones it gets.
    ...(issuer !== undefined && { auth: { silly: { realm: issuer.url, service: "test" } } }),
  };
  const file = path.join(folder, "config.yml");
  await writeFile(file, JSON.stringify(config));
  const child = spawn(PROGRAM, ["serve", file], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  const locate = (digest: string) => {
    const hex = digest.slice("sha256:".length);
    return path.join(folder, "data/docker/registry/v2/blobs/sha256", hex.slice(0, 2), hex, "data");
  };
  const listBlobs = async () => {
    const links = path.join(folder, "data/docker/registry/v2/repositories/platform/apps");
    const layers = await readdir(path.join(links, "_layers/sha256"));
    const manifests = await readdir(path.join(links, "_manifests/revisions/sha256"));
    const isLinked = async (name: string) =>
      access(path.join(links, "_layers/sha256", name, "link")).then(
        () => true,
        () => false,
      );
    const linked = await Promise.all(layers.map(isLinked));
    return [...layers.filter((_, at) => linked[at]), ...manifests].map((hex) => `sha256:${hex}`);
  };
  const end = async () => {
    child.kill("SIGKILL");
    await ended;
    issuer?.end();
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const answers = await request(`${origin}/v2/`).then(
      async ({ body }) => (await body.dump(), true),
      () => false,
    );
    if (answers) return { origin, credentials, locate, listBlobs, end };
    await sleep(50);
  }
  await end();
  throw new Error("the registry did not start");
}

async function startIssuer() {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://issuer");
    const isComplete =
      searchParams.get("service") === "test" &&
      searchParams.get("scope") === "repository:platform/apps:pull,push,delete";
    response.writeHead(isComplete ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify({ token: "given-by-the-test" }));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${port}/token`, end: () => server.close() };
}
