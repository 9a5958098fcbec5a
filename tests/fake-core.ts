import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

interface Answer {
  status?: number;
  body?: string | Buffer;
  location?: string;
  never?: boolean;
  /** Nobody is answered before so many have asked. */
  together?: number;
}

export interface FakeCore {
  /** Its next answer; set it in each test. */
  answer: Answer;
  /** Headers of the requests since the test started. */
  seen: IncomingHttpHeaders[];
  /** Requires this value in `x-api-key`, if it is defined. */
  apiKey: string | undefined;
  coreApiUrl: string;
}

/** A core over HTTP with answers of the test. Call it once, at the top of the file. */
export function fakeCore(): FakeCore {
  const core: FakeCore = { answer: {}, seen: [], apiKey: undefined, coreApiUrl: "" };
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    core.seen.push(request.headers);
    const { never, together = 1 } = core.answer;
    if (never === true) return;
    waiting.push(() => answer(request, response));
    if (waiting.length >= together) for (const go of waiting.splice(0)) go();
  });
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { status, body, location } = core.answer;
    if (core.apiKey !== undefined && request.headers["x-api-key"] !== core.apiKey)
      return void response.writeHead(401).end();
    const headers = location === undefined ? {} : { location };
    response.writeHead(status ?? 200, headers).end(body ?? productsListing("Auto"));
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has an address object.
    const { port } = server.address() as AddressInfo;
    core.coreApiUrl = `http://127.0.0.1:${port}/tenants/x`;
  });
  beforeEach(() => {
    core.answer = {};
    core.seen.length = 0;
    waiting.length = 0;
    core.apiKey = undefined;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return core;
}

/** Products with one field each. */
export function productsListing(...names: string[]): string {
  const schema = { type: "object", properties: { vin: { type: "string" } } };
  return JSON.stringify({ products: names.map((name) => ({ name, schema })) });
}
