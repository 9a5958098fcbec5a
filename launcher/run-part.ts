/**
 * One part in this process, where something else starts, supervises and replaces parts, such as containers:
 * `node launcher/start.mjs web`, `gateway`, `worker`, or `migrate`, which prepares the database for this version and ends. The
 * commands of `upkeep/`, such as `setup`, run by themselves.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { findKeyringFaults } from "@/lib/server/platform/check-keyring";
import { isDatabaseUnavailable } from "@/lib/server/platform/database/availability";
import { readEnvironment } from "@/lib/server/platform/environment";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { StartError } from "./data-folder/secrets";
import { describeDatabaseError } from "./explain-database";
import { prepareDatabase } from "./prepare-database";
import { printAsJson, printOwnOutput } from "./print-output";
import { readSettings, requireValidSettings } from "./settings";

const PARTS = ["web", "gateway", "worker", "migrate"];

/** Resolves when the part runs, or the database is prepared. Throws a StartError that says what to set. */
export async function runPart(name: string, root: string, commands: readonly string[]): Promise<void> {
  Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? "production" });
  if (process.env.NODE_ENV === "production") {
    printOwnOutput(name);
    printAsJson(name);
  }
  if (!PARTS.includes(name))
    throw new StartError(
      `There is no part called ${name}. Use one of: ${PARTS.join(", ")}. Or a command: ${commands.join(", ")}.`,
    );
  const { env, databaseUrl } = await readSettings(root, false);
  process.on("uncaughtException", (error) => {
    console.error(error);
    process.exit(1);
  });
  const missing = ["DATABASE_URL", "PLATFORM_MASTER_KEYS"].filter((setting) => !env[setting]);
  if (databaseUrl === undefined || missing.length > 0)
    throw new StartError(
      `Set ${missing.join(" and ")}: parts that run alone share a database and its keys. ` +
        "`npm start` runs all parts on this machine, with a database of its own.",
    );
  requireValidSettings(env);
  if (name === "migrate") {
    await prepareDatabase(databaseUrl, path.join(root, "drizzle/migrations"));
    console.log("The database is ready for this version.");
    return;
  }
  await requireUsableDatabase();
  await import(pathToFileURL(path.join(root, ".build", `${name}.js`)).href);
}

/** A part starts while the database is away, and isn't ready until it is back. With wrong keys it would never be. */
async function requireUsableDatabase(): Promise<void> {
  const platform = createPlatform({ ...readEnvironment(), PLATFORM_LOG_LEVEL: "silent" }, "launcher");
  try {
    const faults = await findKeyringFaults(platform.keyring, platform.db);
    if (faults.length > 0)
      throw new StartError(
        `${faults.join("\n")}\nSet PLATFORM_MASTER_KEYS to the keys of the other parts. See docs/keys.md.`,
      );
  } catch (error) {
    if (isDatabaseUnavailable(error)) return;
    if (error instanceof StartError) throw error;
    const { code, message } = describeDatabaseError(error);
    if (code === UNDEFINED_TABLE)
      throw new StartError(
        "The database has no tables yet. Run `node launcher/start.mjs migrate` first: once for each version, before its parts start.",
      );
    throw new StartError(`The database can't be used: ${message}`);
  } finally {
    await closePlatform(platform);
  }
}

const UNDEFINED_TABLE = "42P01";
