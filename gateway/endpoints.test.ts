import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { openStateKey } from "@/lib/server/platform/state-key";
import { codeOf, givenEndpoints, html } from "@/tests/endpoint-world";
import { givenInstance } from "@/tests/fake-app";
import { one, readState, testPlatform } from "@/tests/test-platform";

const platform = await testPlatform();
const { open, send, theAttempt, world } = givenEndpoints(platform);

/** A promise, and the function that fulfills it. */
function givenSignal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((fulfill) => (resolve = fulfill));
  return { promise, resolve: () => resolve() };
}

// Guarantee: a browser without any credential reaches a public endpoint; the app gets a key that opens this call's state.
test("a public page is served sandboxed, without cookies either way, and recorded without bodies", async () => {
  let state: unknown;
  const { app } = await givenInstance(platform, world.version.id, async (response, received) => {
    state = await readState(platform, String(received.headers["x-platform-key"]));
    await html(response, received);
  });
  const headers = {
    cookie: "session=1",
    authorization: "Bearer of somebody",
    "x-platform-key": "psk_forged",
    accept: "text/html",
  };
  const answer = await send({ path: `${world.base}/settings?tab=1&q=a%20b`, headers });
  expect(answer).toMatchObject({ status: 200, body: "<h1>Settings</h1>" });
  expect(answer.headers).toMatchObject({
    "content-type": "text/html",
    "content-security-policy":
      "sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers).not.toHaveProperty("set-cookie");
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");

  const received = one(app.received);
  expect(received).toMatchObject({ method: "GET", url: "/settings?tab=1&q=a%20b" });
  expect(received.headers).toMatchObject({ accept: "text/html", "accept-encoding": "identity" });
  expect(received.headers).not.toHaveProperty("cookie");
  expect(received.headers).not.toHaveProperty("authorization");
  const attempt = await theAttempt();
  const opened = openStateKey(platform.keyring, String(received.headers["x-platform-key"]));
  expect(opened).toMatchObject({ installationId: world.installation.id, attemptId: attempt.id });
  expect(state).toMatchObject({ settings: { region: "eu" } });
  expect(attempt).toMatchObject({
    kind: "endpoint",
    target: "GET /settings",
    status: 200,
    payload: null,
    answer: null,
    answerBytes: 17,
    failure: null,
  });
});

// Guarantee: any declared method reaches the app with its body and with the query and the headers that third parties sign.
test("a callback is passed on with its body, and its declared path is recorded", async () => {
  const { app } = await givenInstance(platform, world.version.id, (r) => void r.writeHead(201).end("ok"));
  const headers = { "content-type": "text/xml", "stripe-signature": "t=1" };
  const query = "?code=s3cret&list[]='a'&empty=&a+b=%zz&q={\"<|>\"}`^\\&a//b/../c?d";
  const path = `${world.base}/callbacks/stripe/s3cret${query}`;
  expect(await send({ method: "PUT", path, headers, body: "<x/>" })).toMatchObject({
    status: 201,
    body: "ok",
  });
  expect(one(app.received)).toMatchObject({
    method: "PUT",
    url: `/callbacks/stripe/s3cret${query}`,
    body: "<x/>",
    headers: { ...headers, "content-length": "4" },
  });
  expect(await theAttempt()).toMatchObject({ target: "PUT /callbacks/*" });
  expect(await send({ method: "HEAD", path })).toMatchObject({ status: 201, body: "" });
});

// Guarantee: bytes pass as they come, in both directions.
test("request and answer are streamed", async () => {
  const first = givenSignal();
  const release = givenSignal();
  await givenInstance(platform, world.version.id, async (response) => {
    response.writeHead(200);
    response.write("first ");
    await release.promise;
    response.end("second");
  });
  let body = "";
  const done = new Promise<void>((resolve, reject) => {
    const request = open({ path: `${world.base}/settings` });
    request.on("response", (response) => {
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
        first.resolve();
      });
      response.on("end", resolve).on("error", reject);
    });
    request.end();
  });
  await first.promise;
  expect(body).toBe("first ");
  release.resolve();
  await done;
  expect(body).toBe("first second");
});

test("without a ready instance, the caller is asked to come back", async () => {
  const answer = await send({ path: `${world.base}/settings` });
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect((await theAttempt()).failure).toMatch(/No instance/);
});

test("a body over 1 MiB is refused with a reason, announced or not", async () => {
  await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/callbacks/x`;
  const body = Buffer.alloc(1024 * 1024 + 1, "x");
  expect((await send({ method: "POST", path, body })).status).toBe(413);
  const chunked = await send({ method: "POST", path, body, headers: { "transfer-encoding": "chunked" } });
  expect(codeOf(chunked)).toBe("TOO_LARGE");
});

test("a client that disconnects ends the call, and the attempt says so", async () => {
  const asked = givenSignal();
  await givenInstance(platform, world.version.id, () => asked.resolve());
  const request = open({ path: `${world.base}/settings` });
  request.on("error", () => undefined).end();
  await asked.promise;
  request.destroy();
  await expect.poll(async () => (await theAttempt()).failure).toMatch(/caller closed the connection/);
});

// Guarantee: one client cannot flood an app through its public endpoints; others still get through.
test("a client that asks too often gets 429 with Retry-After", async () => {
  await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/settings`;
  // Otherwise a slow machine gives the client more requests meanwhile.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const answers = await Promise.all(Array.from({ length: 60 }, () => send({ path })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  // Which limit is met first depends on how fast the app answers.
  for (const { headers } of refused) expect(["1", "2"]).toContain(headers["retry-after"]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const other = await platform.db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.kind, "endpoint"));
  expect(other.length).toBe(answers.length - refused.length);
});

// Guarantee: what HTTP allows passes: statuses that have no body, whatever their headers say, and parts of a file.
test.each(
  [204, 205, 304].flatMap((status) => [
    { status, ending: "ends" },
    { status, ending: "stays open" },
  ]),
)(
  "$status with a length that it can't have reaches the caller, if its connection $ending",
  async ({ status, ending }) => {
    await givenInstance(platform, world.version.id, (response) => {
      response.socket?.write(`HTTP/1.1 ${status} X\r\ncontent-length: 20\r\netag: "a"\r\n\r\n`);
      if (ending === "ends") response.socket?.end();
    });
    const started = Date.now();
    const answer = await send({ path: `${world.base}/settings` });
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(answer).toMatchObject({ status, body: "" });
    expect(answer.headers).toMatchObject({ etag: '"a"' });
    expect(await theAttempt()).toMatchObject({ status, failure: null });
  },
);

test("a part of a file is passed on as a part", async () => {
  const { app } = await givenInstance(platform, world.version.id, (response) => {
    response.writeHead(206, {
      "content-range": "bytes 2-4/9",
      "accept-ranges": "bytes",
      "content-type": "audio/mpeg",
    });
    response.end("cde");
  });
  const answer = await send({
    path: `${world.base}/settings`,
    headers: { range: "bytes=2-4", "if-range": '"a"' },
  });
  expect(answer).toMatchObject({ status: 206, body: "cde" });
  expect(answer.headers).toMatchObject({ "content-range": "bytes 2-4/9", "accept-ranges": "bytes" });
  expect(one(app.received).headers).toMatchObject({ range: "bytes=2-4", "if-range": '"a"' });
});
