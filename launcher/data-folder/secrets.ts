import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { whyUnwritable } from "./unwritable.mjs";

/** The platform cannot start. Only the message is printed; it says why and how to fix it. */
export class StartError extends Error {
  readonly expected = true;
}

/** What the launcher remembers in `<dataDir>/secrets.json`, which only its owner can read. */
const shape = z.object({
  masterKeys: z.string(),
  postgresPassword: z.string(),
  /** Outside the data folder if PostgreSQL's user cannot access that. */
  postgresFolder: z.string().optional(),
  /** Ports that stay the same between starts, by what listens on them. */
  ports: z.record(z.string(), z.number().int()).default({}),
  /** How containers reached this machine when an engine last responded. */
  containers: z.object({ listen: z.string(), reach: z.string(), shared: z.boolean() }).optional(),
  /**
   * `usable`: its apps run, and the rest is added in the background. Absent if the database was in use before its first start
   * with this launcher.
   */
  demo: z.enum(["begun", "usable", "done"]).optional(),
  /** The credentials with which the demo's tenants sign in to the gateway, by host name. */
  coreCredentials: z.record(z.string(), z.string()).default({}),
});
export type Secrets = z.infer<typeof shape>;

/** Created at the first start. A damaged file is never replaced, because what it encrypted would be lost. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const file = secretsFile(dataDir);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) {
    const created: Secrets = {
      masterKeys: newMasterKey("k1"),
      postgresPassword: randomBytes(24).toString("base64url"),
      ports: {},
      coreCredentials: {},
    };
    await writeSecrets(dataDir, created);
    return created;
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `${file} is damaged. Restore it from a backup: stored secrets cannot be decrypted without it.`,
    );
  }
}

/** Writes only what changed, so that a full disk keeps nothing from starting. The file is whole at every moment. */
export async function writeSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = secretsFile(dataDir);
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return;
  const draft = `${file}.new`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** An error of the file system as a message that says how to fix it. Any other error remains as it is. */
export function explainUnwritable(error: unknown, dataDir: string): unknown {
  const why = whyUnwritable(error, dataDir);
  return why === undefined ? error : new StartError(why);
}

function secretsFile(dataDir: string): string {
  return path.join(dataDir, "secrets.json");
}
