import { createServer, request, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refuseMethod } from "./refuse-request";

let server: Server;
beforeEach(async () => {
  server = createServer((message, response) => {
    if (!refuseMethod(message, response, "http://localhost:3000"))
      response.end(new Request("http://x", { method: message.method }).method);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function send(method: string): Promise<{ status: number; text: string }> {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path: "/api/listings", agent: false }, (response) => {
      response
        .setEncoding("utf8")
        .on("data", (text: string) => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once("error", reject).end();
  });
}

// Guarantee: a method for which no request can be created is refused; it does not fail.
test("TRACE is answered with 405 and a problem", async () => {
  const { status, text } = await send("TRACE");
  expect(status).toBe(405);
  expect(JSON.parse(text)).toMatchObject({
    type: "http://localhost:3000/docs/errors/WRONG_METHOD",
    code: "WRONG_METHOD",
    status: 405,
  });
});

test.each(["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("%s is passed on", async (method) => {
  expect(await send(method)).toEqual({ status: 200, text: method });
});
