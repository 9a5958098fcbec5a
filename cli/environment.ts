/** The one place where the command line reads its environment. */
import { homedir } from "node:os";
import path from "node:path";

export interface CliEnvironment {
  clientId: string | undefined;
  apiKey: string | undefined;
  url: string | undefined;
  credentialsFile: string;
  /** What was pulled and pushed last: see synced-manifests.ts. */
  syncedFile: string;
}

export function readCliEnvironment(source: Record<string, string | undefined> = process.env): CliEnvironment {
  const configHome = source.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return {
    clientId: source.PLATFORM_CLIENT_ID || undefined,
    apiKey: source.PLATFORM_API_KEY || undefined,
    url: source.PLATFORM_URL || undefined,
    credentialsFile: path.join(configHome, "platform-app", "credentials.json"),
    syncedFile: path.join(configHome, "platform-app", "manifests.json"),
  };
}
