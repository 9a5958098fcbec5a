import { lookup } from "node:dns/promises";
import { isIPv4 } from "node:net";
import type { ConnectionTest } from "@/lib/contract/platform/core";
import { explainUnreachable } from "@/lib/domain/installations/core-address";
import type { Platform } from "../../platform/platform";
import { readEnforcement } from "../../runtime/isolation";

/** The test of a core that the platform reached, with what keeps apps in containers from it. */
export async function addAppsProblem(
  { db, environment }: Pick<Platform, "db" | "environment">,
  url: string,
  test: ConnectionTest,
): Promise<ConnectionTest> {
  if (!test.ok) return test;
  const enforcement = await readEnforcement({ db });
  // Plain processes reach what this machine does.
  if (enforcement !== "guard" && enforcement !== "open") return test;
  const addresses = await resolve(new URL(url).hostname);
  const bridge = findBridge(environment);
  const appsProblem = explainUnreachable({ url, addresses, bridge });
  return appsProblem === undefined ? test : { ...test, appsProblem };
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Where containers find this machine: they read their state there. In a cluster, that is a name. */
function findBridge({
  PLATFORM_STATE_API_CONTAINER: stateApi,
}: Pick<Platform["environment"], "PLATFORM_STATE_API_CONTAINER">): string | undefined {
  const host = URL.canParse(stateApi) ? new URL(stateApi).hostname : "";
  return isIPv4(host) && !host.startsWith("127.") ? host : undefined;
}
