import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { Refusal } from "./refusal";

/** What this machine keeps for itself, in `<dataDir>/secrets.json`, readable by its owner alone. */
const shape = z.object({
  masterKeys: z.string(),
  postgresPassword: z.string(),
  /** Outside the data folder when PostgreSQL's user cannot reach that. */
  postgresFolder: z.string().optional(),
  /** Ports that stay the same from start to start, by what listens there. */
  ports: z.record(z.string(), z.number().int()).default({}),
  /** Absent where the database was in use before the launcher came. */
  demo: z.enum(["begun", "done"]).optional(),
  /** What the demo's tenants sign in to the gateway with, by host name. */
  coreCredentials: z.record(z.string(), z.string()).default({}),
});
export type Secrets = z.infer<typeof shape>;

const fileOf = (dataDir: string) => path.join(dataDir, "secrets.json");

/** Made at the first start. A file that is there but broken is never replaced: what it sealed would be lost. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const text = await readFile(fileOf(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) {
    const fresh: Secrets = {
      masterKeys: newMasterKey("k1"),
      postgresPassword: randomBytes(24).toString("base64url"),
      ports: {},
      coreCredentials: {},
    };
    await writeSecrets(dataDir, fresh);
    return fresh;
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new Refusal(
      `${fileOf(dataDir)} cannot be read. Restore it from a backup; without it, stored secrets cannot be opened.`,
    );
  }
}

export async function writeSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${fileOf(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}
