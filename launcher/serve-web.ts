/** The web part: Next in a server of our own, because Next's drops what is under way two seconds after SIGTERM. */
import { createServer } from "node:http";
import next from "next";
import { readEnvironment } from "@/lib/server/platform/environment";

/** Milliseconds for what is under way when the process is told to end. */
const DRAIN_MS = 25_000;

const environment = readEnvironment();
const dev = process.env.PLATFORM_DEV === "1";
const { PLATFORM_WEB_HOST: hostname, PLATFORM_WEB_PORT: port } = environment;
// next-auth knows its own address from here alone, and would else believe the request's Host header.
process.env.NEXTAUTH_URL = environment.PLATFORM_WEB_URL;

const app = next({ dev, dir: process.cwd(), hostname, port });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => void handle(request, response));

let ending = false;
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());

server.listen(port, hostname, async () => {
  // The first answer loads what all pages share; whoever is told that it is ready shall not wait for that.
  await fetch(`http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/api/health`).catch(
    () => undefined,
  );
  process.send?.({ ready: true });
});

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), dev ? 500 : DRAIN_MS);
  await closed;
  clearTimeout(timer);
  process.exit(0);
}
