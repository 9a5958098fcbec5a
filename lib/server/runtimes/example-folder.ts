import { existsSync } from "node:fs";
import path from "node:path";

/** The folder of the demo's small apps, which differ only in their manifests. */
const SHARED = "small-app";

/** Where the files of an example app are: its own folder, or the one that small apps share. */
export function findExampleFolder(examplesFolder: string, appName: string): string {
  const own = path.join(examplesFolder, path.basename(appName));
  return existsSync(own) ? own : path.join(examplesFolder, SHARED);
}
