import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { givenEndpoints } from "@/tests/endpoint-world";
import { givenInstance, type Respond } from "@/tests/fake-app";
import { testPlatform } from "@/tests/test-platform";

const platform = await testPlatform();
const { origin, send, theAttempt, world } = givenEndpoints(platform);

describe("hostile answers", () => {
  const big = Buffer.alloc(700 * 1024, "x");
  test.each<[string, Respond, number, RegExp]>([
    [
      "a redirect elsewhere",
      (r) => void r.writeHead(302, { location: "https://evil.example/" }).end(),
      502,
      /redirect/,
    ],
    ["a permanent redirect", (r) => void r.writeHead(301, { location: "/settings" }).end(), 502, /redirect/],
    [
      "a compressed answer",
      (r) => void r.writeHead(200, { "content-encoding": "gzip" }).end(big),
      502,
      /compressed/,
    ],
    ["huge headers", (r) => void r.writeHead(200, { etag: "h".repeat(20_000) }).end(), 502, /16 KiB/],
    ["a broken connection", (r) => void r.destroy(), 502, /closed the connection/],
  ])("%s is not passed on", async (_name, respond, status, failure) => {
    await givenInstance(platform, world.version.id, respond);
    const answer = await send({ path: `${world.base}/settings` });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).detail).toMatch(failure);
    expect((await theAttempt()).failure).toMatch(failure);
  });

  test("an answer over 1 MiB is cut off, and never looks complete", async () => {
    await givenInstance(platform, world.version.id, (response) => {
      response.write(big);
      response.end(big);
    });
    await expect(send({ path: `${world.base}/settings` })).rejects.toThrow();
    await expect.poll(async () => (await theAttempt()).failure).toBe("Its response is larger than 1 MiB.");
  });

  // Guarantee: what an app didn't finish never looks complete, also where only the end of the connection says so.
  test.each<[string, string]>([
    ["without a length", "HTTP/1.1 200 OK\r\n\r\nhalf of it"],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhalf of it"],
    ["with a length", "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf of it"],
    ["in chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nhalf of it\r\n"],
  ])("an answer %s that ends in a reset is cut off", async (_name, head) => {
    await givenInstance(platform, world.version.id, ({ socket }) => {
      socket?.write(head);
      setTimeout(() => socket?.resetAndDestroy(), 50);
    });
    await expect(send({ path: `${world.base}/settings` })).rejects.toThrow();
    await expect
      .poll(async () => await theAttempt())
      .toMatchObject({
        status: 200,
        failure: expect.stringMatching(/closed|reset/),
        fault: expect.any(String),
      });
  });

  test("an echoed state key is masked in body and headers, however it is cut", async () => {
    await givenInstance(platform, world.version.id, async (response, received) => {
      const key = String(received.headers["x-platform-key"]);
      response.writeHead(200, { etag: `"${key}"` });
      response.write(`key: ${key.slice(0, 20)}`);
      await sleep(30);
      response.end(`${key.slice(20)}.`);
    });
    const answer = await send({ path: `${world.base}/settings` });
    expect(answer.body).toBe("key: [state key].");
    expect(answer.headers.etag).toBe('"[state key]"');
  });

  test("a redirect to the app's own path stays below the installation's URL", async () => {
    await givenInstance(
      platform,
      world.version.id,
      (r) => void r.writeHead(303, { location: "/settings?saved=1" }).end(),
    );
    const answer = await send({ method: "POST", path: `${world.base}/callbacks/form`, body: "a=1" });
    expect(answer).toMatchObject({ status: 303, headers: { location: `${world.base}/settings?saved=1` } });
  });

  test("an error of the app is passed on, and recorded as a failure", async () => {
    await givenInstance(platform, world.version.id, (r) => void r.writeHead(500).end("oops"));
    expect(await send({ path: `${world.base}/settings` })).toMatchObject({ status: 500, body: "oops" });
    expect(await theAttempt()).toMatchObject({ status: 500, failure: "It returned 500." });
  });
});

// Guarantee: what an app answers before it has read the request reaches the caller, whose next request is served too.
test("an early answer to a large request is passed on, again and again", async () => {
  const { app } = await givenInstance(platform, world.version.id, () => undefined);
  app.server.removeAllListeners("request");
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(413).end("too much", () => request.socket.destroySoon());
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: string[] = [];
  for (let at = 0; at < 10; at += 1) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const path = `${world.base}/callbacks/form`;
      httpRequest(origin(), { method: "POST", path, agent })
        .on("response", resolve)
        .on("error", reject)
        .end(Buffer.alloc(900 * 1024, "x"));
    });
    answers.push(`${answer.statusCode} ${await text(answer)}`);
  }
  agent.destroy();
  expect(answers).toEqual(Array.from({ length: 10 }, () => "413 too much"));
});
