/** Ports that are opened when a rule needs them, and closed when none does anymore. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { GUARD_PORTS } from "@/lib/domain/platform/guarded-app";

export const NAME_PORT = GUARD_PORTS.names;

interface Listener {
  close(): void;
}

/** By a name that stays the same. */
export type Openers = Map<string, () => Promise<Listener>>;

/** Opens what is missing of these, and closes all others. Returns why some could not be opened. */
export async function adjust(
  listeners: Map<string, Listener>,
  wanted: Openers,
): Promise<ReadonlyMap<string, string>> {
  for (const [key, listener] of listeners)
    if (!wanted.has(key)) {
      listener.close();
      listeners.delete(key);
    }
  const failed = new Map<string, string>();
  for (const [key, open] of wanted) {
    if (listeners.has(key)) continue;
    try {
      listeners.set(key, await open());
    } catch (error) {
      failed.set(key, error instanceof Error ? error.message : String(error));
    }
  }
  return failed;
}

export async function listen(
  host: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<Listener> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
  server.listen({ host, port, backlog: 1_024 });
  await once(server, "listening");
  server.on("error", () => undefined);
  return server;
}

/** @param answer undefined for what gets no answer */
export async function listenForQueries(
  host: string,
  answer: (message: Buffer, from: RemoteInfo) => Uint8Array | undefined,
): Promise<Listener> {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    const response = answer(message, from);
    if (response !== undefined) socket.send(response, from.port, from.address, () => undefined);
  });
  socket.bind(NAME_PORT, host);
  await once(socket, "listening");
  socket.on("error", () => undefined);
  return socket;
}
