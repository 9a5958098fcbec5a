import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Makes the app of a copy of `e2e/apps/misbehaving` start with this behavior: see its misbehaving.mjs. */
export async function chooseBehavior(folder: string, behavior: string): Promise<void> {
  const file = path.join(folder, "Dockerfile");
  await writeFile(file, (await readFile(file, "utf8")).replace('"serves"', JSON.stringify(behavior)));
}
