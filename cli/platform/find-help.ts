import { errorPath } from "@/lib/contract/error-path";
import type { CliEnvironment } from "../terminal/environment";
import { chooseProfile } from "./credentials";
import { readProfiles } from "./saved-profiles";

/** The URL of a code's entry in the documentation of the platform in use. Undefined if no profile says where that is. */
export async function findHelp(environment: CliEnvironment, code: string): Promise<string | undefined> {
  try {
    const { webUrl } = chooseProfile(environment, await readProfiles(environment.credentialsFile));
    return webUrl === undefined ? undefined : webUrl.replace(/\/$/, "") + errorPath(code);
  } catch {
    // No help about a failure must not become a second failure.
    return undefined;
  }
}
