import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { vi } from "vitest";
import { freePort } from "@/lib/server/platform/machine";
import type { Platform } from "@/lib/server/platform/platform";

/** The example's core in a process of its own. It must be ended. */
export async function startExampleCore(platform: Platform) {
  /** The `Authorization` of each event that it sent. */
  const received: (string | undefined)[] = [];
  // What it needs of a gateway: public keys, and an endpoint for events.
  const gateway = createServer(async (request, response) => {
    if (request.url === "/.well-known/jwks.json")
      return response.end(JSON.stringify(await platform.services.tokens.readJwks()));
    received.push(request.headers.authorization);
    return response.writeHead(202).end("{}");
  });
  const [port, gatewayPort] = [await freePort(), await freePort()];
  await once(gateway.listen(gatewayPort, "127.0.0.1"), "listening");
  const coreUrl = `http://127.0.0.1:${port}`;
  const addresses = { CORE_URL: coreUrl, CORE_GATEWAY: `http://127.0.0.1:${gatewayPort}` };
  const core = fork("examples/core/server.mjs", {
    env: { ...process.env, CORE_PORT: String(port), ...addresses },
  });
  await vi.waitFor(() => fetch(`${coreUrl}/health`), { timeout: 10_000 });
  const end = () => {
    core.kill("SIGKILL");
    gateway.close();
  };
  return { coreUrl, received, end };
}
