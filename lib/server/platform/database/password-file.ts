import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { ClientConfig } from "pg";
import readLine from "pgpass";
import { getFileName } from "pgpass/lib/helper.js";

/** The server asks for a password, and there is none. `message` says why, `fix` what to do. */
export class NoPasswordError extends Error {
  constructor(
    cause: string,
    readonly fix: string,
  ) {
    super(`the server asks for a password, and ${cause}`);
    this.name = "NoPasswordError";
  }
}

/**
 * The password for this server, from the file of `PGPASSFILE`.
 * @throws NoPasswordError if the file can't be used, or has none
 */
export async function readPasswordFile(server: ClientConfig): Promise<string> {
  const file = getFileName();
  const line = `${[server.host, server.port, server.database, server.user].map(escape).join(":")}:<password>`;
  const fail = (cause: string, fix: string) =>
    new NoPasswordError(`the password file ${file} ${cause}.`, fix);
  const create = `Create it, or name another one in PGPASSFILE. It needs the line ${line}, the user that runs the platform as its owner, and chmod 600.`;

  // The package prints a warning with each connection instead.
  const info = await stat(file).catch(codeOf);
  if (info === "ENOENT") throw fail("does not exist", create);
  const denied = typeof info === "string" ? info : await access(file, constants.R_OK).catch(codeOf);
  if (denied !== undefined)
    throw fail(
      `can't be read (${denied})`,
      "Make the user that runs the platform its owner (chown), with chmod 600.",
    );
  if (typeof info === "string" || !info.isFile()) throw fail("is not a file", create);
  if ((info.mode & 0o077) !== 0 && process.platform !== "win32")
    throw fail(
      `is ignored, because other users may access it (mode ${(info.mode & 0o777).toString(8)})`,
      `Run: chmod 600 ${file}`,
    );
  const password = await new Promise<string | undefined>((resolve) => readLine(server, resolve));
  if (password !== undefined) return password;
  throw fail("has no line for this host, port, database and user", `Add the line ${line}`);
}

const escape = (field: unknown) => String(field ?? "*").replace(/[:\\]/g, "\\$&");

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
