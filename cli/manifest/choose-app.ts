import type { ChosenApp } from "../platform/apps-api";
import { findCredentials } from "../platform/credentials";
import type { CliContext } from "../terminal/environment";
import type { AppOptions } from "./app-options";
import { findManifestFile, getAppName } from "./manifest-file";

/** The app that `--app` names, or else the manifest. */
export async function chooseApp({ environment }: CliContext, options: AppOptions): Promise<ChosenApp> {
  const found = options.app === undefined ? await findManifestFile(options.manifest) : undefined;
  const name = getAppName(found?.text, options.app);
  return { credentials: await findCredentials(environment), name };
}
