import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "./refusal";

const run = promisify(execFile);

export interface SystemUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: there it runs as the system's user `postgres`, who is made when absent. */
export async function postgresUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await lookUp()) ?? (await create());
}

async function lookUp(): Promise<SystemUser | undefined> {
  const ids = ["-u", "-g"].map((option) =>
    run("id", [option, "postgres"]).then(({ stdout }) => Number(stdout)),
  );
  const [uid, gid] = await Promise.all(ids).catch(() => []);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function create(): Promise<SystemUser> {
  await run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", "postgres"])
    .catch(() => run("adduser", ["-S", "-D", "-H", "-s", "/bin/false", "postgres"]))
    .catch(() => undefined);
  const user = await lookUp();
  if (user !== undefined) return user;
  throw new Refusal(
    "PostgreSQL does not run as root, and the user 'postgres' could not be made.\n" +
      "Start the platform as an ordinary user, or set DATABASE_URL to a PostgreSQL 16 or newer.",
  );
}

/** The topmost existing folder of `place` that the user cannot pass through; undefined when it can reach it. */
export async function barrierTo(place: string, user: SystemUser): Promise<string | undefined> {
  const parts = path.resolve(place).split(path.sep);
  for (let length = 1; length <= parts.length; length += 1) {
    const folder = parts.slice(0, length).join(path.sep) || path.sep;
    const info = await stat(folder).catch(() => undefined);
    if (info === undefined) return undefined;
    const bit = info.uid === user.uid ? 0o100 : info.gid === user.gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return folder;
  }
  return undefined;
}
