import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach } from "vitest";
import { instances } from "@/drizzle/schema/runtime";
import type { Platform } from "@/lib/server/platform/platform";

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  /** Header names and values in turn, as received. */
  rawHeaders: string[];
  body: string;
}

export type Respond = (response: ServerResponse, received: Received) => void | Promise<void>;

/** Answers that acknowledge a request with 200, although nobody could read their bodies. */
export const UNREADABLE: readonly { name: string; respond: Respond }[] = [
  { name: "gzip", raw: "content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok" },
  { name: "an encoding that is none", raw: "content-encoding: UTF-8\r\ncontent-length: 2\r\n\r\nok" },
  { name: "a body that is cut", raw: "content-length: 20\r\n\r\nok" },
  { name: "a chunk without a size", raw: "transfer-encoding: chunked\r\n\r\nxyz\r\nok" },
  { name: "Latin-1", raw: "content-length: 4\r\n\r\nJos\xe9" },
].map(({ name, raw }) => ({
  name,
  respond: (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\n${raw}`, "latin1"),
}));

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Every byte of it, a byte order mark too. */
async function read(request: IncomingMessage): Promise<string> {
  const bytes = await buffer(request).catch(() => "broken off");
  return bytes.toString("utf8");
}

/** A publisher's app on loopback. It answers with `respond`, which a test may replace, and ends with the test. */
export async function givenApp(respond: Respond) {
  const received: Received[] = [];
  const app = { origin: "", received, respond, server: createServer() };
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const { method = "", url = "", headers, rawHeaders } = request;
      const got = { method, url, headers, rawHeaders, body: await read(request) };
      received.push(got);
      await app.respond(response, got);
    })();
  });
  await new Promise<void>((resolve) => app.server.listen(0, "127.0.0.1", resolve));
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  app.origin = `http://127.0.0.1:${address.port}`;
  closers.push(() => {
    app.server.close();
    app.server.closeAllConnections();
  });
  return app;
}

/** The same, registered as the ready instance of a version. */
export async function givenInstance(platform: Platform, versionId: string, respond: Respond) {
  const app = await givenApp(respond);
  const row = {
    versionId,
    runtime: "of another worker",
    handle: "none",
    origin: app.origin,
    state: "READY" as const,
    readyAt: new Date(),
  };
  const [instance] = await platform.db.insert(instances).values(row).returning();
  if (instance === undefined) throw new Error("no instance");
  return { ...app, app, instance };
}
