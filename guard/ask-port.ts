/** What the cluster and the first container of an app's Pod ask a guard, over HTTP. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { ASK_PORT } from "@/lib/domain/runtime/egress/control";

const PODS = "/pods/";
/** So that no app takes the place of the cluster's probes. */
const MOST_OF_ONE = 8;

interface AskOptions {
  address: string;
  /** A worker told it the rules, and it isn't about to end. */
  isReady: () => boolean;
  knows: (uid: string, address: string | undefined) => boolean;
}

/** `/live`, `/ready`, and `/pods/<uid>`: 200 for yes. */
export async function serveQuestions({ address, isReady, knows }: AskOptions): Promise<Server> {
  const server = createServer({
    maxHeaderSize: 4_096,
    headersTimeout: 5_000,
    requestTimeout: 5_000,
    keepAlive: false,
  });
  server.maxRequestsPerSocket = 1;
  const opened = new Map<string, number>();
  server.prependListener("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    const count = (opened.get(remoteAddress) ?? 0) + 1;
    opened.set(remoteAddress, count);
    socket.once("close", () => {
      const left = (opened.get(remoteAddress) ?? 1) - 1;
      if (left === 0) opened.delete(remoteAddress);
      else opened.set(remoteAddress, left);
    });
    if (count > MOST_OF_ONE) socket.destroy();
  });
  server.on("request", ({ url = "", socket: { remoteAddress } }, answer) => {
    const isSo =
      url === "/live" ||
      (url === "/ready" && isReady()) ||
      (url.startsWith(PODS) && knows(url.slice(PODS.length), remoteAddress));
    answer.writeHead(isSo ? 200 : 503, { connection: "close", "content-type": "text/plain" });
    answer.end(isSo ? "yes\n" : "no\n");
  });
  server.listen({ host: address, port: ASK_PORT });
  await once(server, "listening");
  return server;
}
