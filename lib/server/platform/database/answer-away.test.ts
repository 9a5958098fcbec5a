import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, expect, test, vi } from "vitest";
import { toPageError } from "./availability";
import { answerAway, reportAway } from "./answer-away";

const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

const print = vi.fn();
const printer = { error: print };

/** As Next does it: the page throws, then the status is set. */
const server = createServer((request, response) => {
  const failure = request.url === "/away" ? refused : new Error("a bug");
  void answerAway(response, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (request.url !== "/fine") toPageError(failure);
    if (request.url !== "/fine") printer.error("page", failure);
    response.statusCode = request.url === "/fine" ? 200 : 500;
    response.end();
  });
}).listen(0, "127.0.0.1");
afterAll(() => server.close());

// Guarantee: proxies and crawlers learn that a page comes back, and only pages that the database kept from loading say so.
test("a page without a database is 503 with Retry-After, any other failure stays 500", async () => {
  if (!server.listening) await once(server, "listening");
  const report = vi.fn();
  reportAway(printer, report);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const load = async (path: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${address.port}${path}`);
    return [status, headers.get("retry-after")];
  };
  expect(await Promise.all(["/away", "/bug", "/fine", "/away"].map(load))).toEqual([
    [503, "5"],
    [500, null],
    [200, null],
    [503, "5"],
  ]);
  expect(report.mock.calls).toEqual([[refused], [refused]]);
  expect(print.mock.calls).toEqual([["page", expect.objectContaining({ message: "a bug" })]]);
});
