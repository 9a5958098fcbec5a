import { createServer } from "node:net";
import { errors } from "undici";
import { afterEach, expect, test } from "vitest";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { isPassedOver } from "./call-steps";
import { explainError, sendRequest } from "./send-request";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Answers every connection with these bytes, then ends it; `reset` cuts it instead. */
async function ask(
  answer: string | Buffer,
  ending: "end" | "reset" | "never" = "end",
  isRead = true,
  deadlineMs = 2_000,
) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(answer);
      if (ending === "end") socket.end();
      if (ending === "reset") setTimeout(() => socket.resetAndDestroy(), 20);
    });
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return sendRequest({
    method: "POST",
    origin: `http://127.0.0.1:${port}`,
    path: "/autofill",
    headers: { "content-type": "application/json" },
    body: "{}",
    deadlineMs,
    isRead,
  });
}

const OK = "HTTP/1.1 200 OK\r\n";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const MALFORMED: Record<string, string | Buffer> = {
  "text that is not HTTP": "hello there\r\n\r\n",
  "an HTTP/0.9 page": "<html>hello</html>",
  "the greeting of SSH": "SSH-2.0-OpenSSH_9.6\r\n",
  "an error of Redis": "-ERR wrong number of arguments for 'get' command\r\n",
  "a status line in lowercase": "http/1.1 200 ok\r\ncontent-length: 2\r\n\r\nok",
  "a length with a sign": `${OK}content-length: +5\r\n\r\nhello`,
  "a length in hexadecimal": `${OK}content-length: 0x2\r\n\r\nok`,
  "two lengths in one": `${OK}content-length: 2, 3\r\n\r\nok!`,
  "a chunk size with a sign": `${OK}transfer-encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n`,
  "an unknown HTTP version": "HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\nok",
  "a status of two digits": "HTTP/1.1 99 X\r\ncontent-length: 2\r\n\r\nok",
  "the status 0": "HTTP/1.1 000 X\r\ncontent-length: 2\r\n\r\nok",
  "100 Continue with line feeds alone": `HTTP/1.1 100 Continue\n\n${OK}content-length: 2\r\n\r\nok`,
  "two lengths": `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`,
  "a length and chunks": `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  "a negative length": `${OK}content-length: -2\r\n\r\nok`,
  "a length beyond every number": `${OK}content-length: 99999999999999999999999\r\n\r\nok`,
  "a chunk size that is not a number": `${OK}transfer-encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n`,
  "a header without a colon": `${OK}nocolon\r\n\r\n`,
  "a header with NUL": `${OK}x: a\0b\r\ncontent-length: 2\r\n\r\nok`,
  "a header name with a space": `${OK}bad name: x\r\ncontent-length: 2\r\n\r\nok`,
  "a folded first header": `${OK} x: folded\r\ncontent-length: 2\r\n\r\nok`,
  "line feeds alone": "HTTP/1.1 200 OK\ncontent-length: 2\n\nok",
};

// Guarantee: whatever bytes an app sends, the call ends with a stable code and a sentence, never with an error's code.
test.each(Object.entries(MALFORMED))("%s is malformed", async (_what, answer) => {
  expect(await ask(answer)).toMatchObject({
    answer: null,
    fault: "app-response-malformed",
    failure: "Its response is not valid HTTP.",
  });
});

// Guarantee: what is known of the cause is said.
test.each<[string, string | Buffer, RegExp]>([
  ["a TLS alert", Buffer.from([0x15, 3, 1, 0, 2, 2, 70]), /^It answered with TLS\. .* plain HTTP/],
  ["HTTP/2", Buffer.from("000012040000000000", "hex"), /^It answered with HTTP\/2\. .* HTTP\/1\.1/],
  [
    "an upgrade that nobody asked for",
    "HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    /^It switched to another protocol \(status 101\)/,
  ],
  ["101 without an upgrade", "HTTP/1.1 101 X\r\n\r\n", /^It switched to another protocol \(status 101\)/],
  ["101 after 100 Continue", `${CONTINUE}HTTP/1.1 101 X\r\n\r\n`, /^It switched to another protocol/],
])("%s is named", async (_what, answer, failure) => {
  const answered = await ask(answer);
  expect(answered).toMatchObject({ answer: null, fault: "app-response-malformed" });
  expect(answered.failure).toMatch(failure);
});

const BIG = "a".repeat(2 * 1024 * 1024);
test.each<[string, AppFault, string, ("end" | "reset")?]>([
  ["nothing", "app-response-incomplete", ""],
  ["nothing, and a reset", "app-response-incomplete", "", "reset"],
  ["half a header", "app-response-incomplete", `${OK}content-le`],
  ["a cut body", "app-response-incomplete", `${OK}content-length: 20\r\n\r\nok`],
  ["a cut body, and a reset", "app-response-incomplete", `${OK}content-length: 20\r\n\r\nok`, "reset"],
  ["a cut chunk", "app-response-incomplete", `${OK}transfer-encoding: chunked\r\n\r\n5\r\nok`],
  ["100 Continue alone", "app-response-incomplete", CONTINUE],
  ["half of 100 Continue", "app-response-incomplete", "HTTP/1.1 100 Con"],
  ["half a header after 100 Continue", "app-response-incomplete", `${CONTINUE}${OK}content-le`],
  [
    "103 with long headers",
    "app-response-headers-too-large",
    `HTTP/1.1 103 Early Hints\r\nlink: ${"a".repeat(20_000)}\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
  ],
  ["long headers", "app-response-headers-too-large", `${OK}x: ${"a".repeat(20_000)}\r\n\r\nok`],
  [
    "long trailers",
    "app-response-headers-too-large",
    `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: ${"a".repeat(40_000)}\r\n\r\n`,
  ],
  ["a long body", "app-response-too-large", `${OK}content-length: ${BIG.length}\r\n\r\n${BIG}`],
  ["gzip", "app-response-compressed", `${OK}content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`],
  [
    "gzip of the transfer",
    "app-response-compressed",
    `${OK}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ],
])("%s is %s", async (_what, fault, answer, ending) => {
  const { failure, ...rest } = await ask(answer, ending);
  expect(rest).toMatchObject({ answer: null, fault });
  expect(failure).toMatch(
    /^(It|The headers|Its)\b[^()]*(\((gzip(, chunked)?|accept-encoding: identity)\)[^()]*)*\.$/,
  );
});

test("a port where nothing listens refuses the connection", async () => {
  const order = {
    method: "GET",
    origin: "http://127.0.0.1:9",
    path: "/",
    headers: {},
    deadlineMs: 1_000,
    isRead: true,
  } as const;
  expect(await sendRequest(order)).toMatchObject({ fault: "app-connection-refused" });
});

// Guarantee: what the app did not get is sent to another replica, and a delivery uses no try: also where nothing refuses the
// connection, because a container's network is gone with it.
test("an app that doesn't accept a connection in time didn't get the request", () => {
  const { fault, failure } = explainError(new errors.ConnectTimeoutError(), false, 10_000, false);
  expect({ fault, failure }).toEqual({
    fault: "app-unreachable",
    failure: "It didn't accept a connection within 5 s.",
  });
  expect(isPassedOver(fault)).toBe(true);
});

// Guarantee: what the core gets is what the app sent, byte for byte, or a failure that says where it is not text.
test.each<[string, Buffer, number]>([
  ["Latin-1", Buffer.from('{"name":"Jos\xe9"}', "latin1"), 12],
  ["a character that is cut", Buffer.from('{"a":"€"}').subarray(0, 8), 6],
])("%s is not passed on", async (_what, body, at) => {
  const answer = (status: string) =>
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
  const { failure, ...rest } = await ask(answer("200 OK"));
  expect(rest).toMatchObject({ status: 200, answer: null, fault: "app-response-not-utf8" });
  expect(failure).toContain(`at offset ${at}`);
  // Its status says what went wrong.
  expect(await ask(answer("500 X"))).toMatchObject({ status: 500, fault: null });
  expect(await ask(answer("200 OK"), "end", false)).toMatchObject({ status: 200, fault: null });
});

// Guarantee: the failure of a call names its cause. An error page that is damaged is not what went wrong.
test.each<[string, string, ("end" | "reset" | "never")?]>([
  ["compressed", "content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok"],
  ["cut", "content-length: 20\r\n\r\nok"],
  ["cut by a reset", "content-length: 20\r\n\r\nok", "reset"],
  ["not valid in its chunks", "transfer-encoding: chunked\r\n\r\nzz\r\n"],
  ["too large", `content-length: ${BIG.length}\r\n\r\n${BIG}`],
  ["endless", "content-length: 20\r\n\r\nok", "never"],
])("the page of an error that is %s doesn't hide the status", async (_what, rest, ending) => {
  for (const status of [500, 302])
    expect(await ask(`HTTP/1.1 ${status} X\r\n${rest}`, ending)).toMatchObject({ status, fault: null });
});

// Guarantee: nothing that could hide a secret is passed on, and a compression is blamed only for what it did.
test.each<[string, string, RegExp]>([
  ["a character set", "content-encoding: UTF-8", /^Its content-encoding header names an encoding/],
  ["an unknown transfer", "transfer-encoding: xchunked", /^Its transfer-encoding header names an encoding/],
  ["a second header", "content-encoding: identity\r\ncontent-encoding: gzip", /^It compressed .*\(gzip\)/],
  ["a list", "content-encoding: identity, br", /^It compressed .*\(br\)/],
])("%s as an encoding is named", async (_what, header, failure) => {
  const answered = await ask(`${OK}${header}\r\n\r\nok`);
  expect(answered).toMatchObject({ answer: null, fault: "app-response-compressed" });
  expect(answered.failure).toMatch(failure);
});

// Guarantee: what is acknowledged is acknowledged, whatever the body that nobody needs.
test.each<[string, string, ("end" | "reset")?]>([
  ["an encoding that is none", `${OK}content-encoding: UTF-8\r\ncontent-length: 2\r\n\r\nok`],
  ["gzip", `${OK}content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`],
  ["a cut body", `${OK}content-length: 20\r\n\r\nok`],
  ["a cut body, and a reset", `${OK}content-length: 20\r\n\r\nok`, "reset"],
  ["a cut chunk", `${OK}transfer-encoding: chunked\r\n\r\n5\r\nok`],
  ["a chunk without a size", `${OK}transfer-encoding: chunked\r\n\r\nxyz\r\nok`],
  ["a long body", `${OK}content-length: ${BIG.length}\r\n\r\n${BIG}`],
  ["204 with a length", "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n"],
  ["204 with a length and a body", "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok"],
  ["102 before it", `HTTP/1.1 102 Processing\r\n\r\n${OK}content-length: 2\r\n\r\nok`],
  ["103 before it", `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\nok`],
  ["100 Continue before it", `${CONTINUE}${OK}content-length: 2\r\n\r\nok`],
  ["100 Continue before 204", `${CONTINUE}HTTP/1.1 204 No Content\r\n\r\n`],
  ["no length", `${OK}\r\nok`],
  ["trailers", `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`],
])("%s is an acknowledgement", async (_what, answer, ending) => {
  const { status, fault, failure } = await ask(answer, ending, false);
  expect({ isSuccess: status !== null && status >= 200 && status < 300, fault, failure }).toEqual({
    isSuccess: true,
    fault: null,
    failure: null,
  });
});

test("an endless body of an acknowledgement ends with the deadline", async () => {
  expect(await ask(`${OK}content-length: 20\r\n\r\nok`, "never", false)).toMatchObject({
    status: 200,
    fault: null,
  });
  expect(await ask(`${OK}content-length: 20\r\n\r\nok`, "never")).toMatchObject({ fault: "app-timed-out" });
});

test("205 ends at its head, also on a connection that stays open", async () => {
  for (const rest of ["content-length: 20\r\n\r\n", "transfer-encoding: chunked\r\n\r\n", "\r\n"])
    for (const isRead of [true, false]) {
      const head = `HTTP/1.1 205 Reset Content\r\n${rest}`;
      const { durationMs, ...answer } = await ask(head, "never", isRead, 20_000);
      expect(answer).toMatchObject({ status: 205, answer: "", fault: null });
      expect(durationMs).toBeLessThan(10_000);
    }
});

test("a status without a body needs none, whatever its headers say", async () => {
  for (const status of ["204 No Content", "304 Not Modified"])
    for (const header of ["content-length: 20", "content-encoding: gzip", "content-encoding: UTF-8"])
      expect(await ask(`HTTP/1.1 ${status}\r\n${header}\r\n\r\n`)).toMatchObject({
        answer: "",
        fault: null,
      });
});

test.each<[string, string]>([
  ["no length", `${OK}\r\nok`],
  ["HTTP/1.0 with a length", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
  ["HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nok"],
  [
    "HTTP/1.0 that keeps the connection",
    "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok",
  ],
  ["more than its length", `${OK}content-length: 2\r\n\r\nok and more`],
  ["two answers", `${OK}content-length: 2\r\n\r\nok${OK}content-length: 2\r\n\r\nno`],
  [
    "102 before it",
    `HTTP/1.1 102 Processing\r\n\r\n${OK}content-encoding: identity\r\ncontent-length: 2\r\n\r\nok`,
  ],
  ["102 and 103 before it", `HTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 Y\r\n\r\n${OK}content-length: 2\r\n\r\nok`],
  ["100 Continue before it", `${CONTINUE}${OK}content-length: 2\r\n\r\nok`],
  [
    "100 Continue with headers before it",
    `HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
  ],
  [
    "100, 103 and 100 before it",
    `${CONTINUE}HTTP/1.1 103 Y\r\nlink: </a>\r\n\r\n${CONTINUE}${OK}content-length: 2\r\n\r\nok`,
  ],
  ["no reason", "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok"],
  ["a long reason", `HTTP/1.1 200 ${"very ".repeat(50)}good\r\ncontent-length: 2\r\n\r\nok`],
  ["names in capitals", `${OK}CONTENT-LENGTH: 2\r\nCONTENT-TYPE: text/plain\r\n\r\nok`],
  ["blanks and tabs around values", `${OK}content-length:\t 2 \r\n\r\nok`],
  ["an empty value", `${OK}x-empty:\r\ncontent-length: 2\r\n\r\nok`],
  ["cookies", `${OK}set-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 2\r\n\r\nok`],
  ["bytes beyond ASCII in a value", `${OK}x-name: J\u00f6rg\r\ncontent-length: 2\r\n\r\nok`],
  ["chunks", `${OK}transfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n`],
  ["two headers for chunks", `${OK}${"transfer-encoding: chunked\r\n".repeat(2)}\r\n2\r\nok\r\n0\r\n\r\n`],
  ["chunks in capitals", `${OK}Transfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ["a chunk's size with zeros", `${OK}transfer-encoding: chunked\r\n\r\n0002\r\nok\r\n0\r\n\r\n`],
  ["a chunk's extension", `${OK}transfer-encoding: chunked\r\n\r\n2;name=value\r\nok\r\n0\r\n\r\n`],
  ["trailers", `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n`],
  [
    "chunks, then the end",
    `${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ],
])("%s is a valid answer", async (_what, answer) => {
  expect(await ask(answer)).toMatchObject({ status: 200, answer: "ok", fault: null, failure: null });
});

// Guarantee: part of an answer never counts as all of it. How many bytes are missing, only a length or the last chunk tells.
test.each<[string, string]>([
  ["no length", `${OK}\r\nok`],
  ["no length, and the end announced", `${OK}connection: close\r\n\r\nok`],
  ["HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nok"],
  ["a length, and the end announced", `${OK}connection: close\r\ncontent-length: 20\r\n\r\nok`],
  [
    "chunks, and the end announced",
    `${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n`,
  ],
  ["nothing after the head", `${OK}connection: close\r\n\r\n`],
])("%s, then a reset, is not complete", async (_what, answer) => {
  const { durationMs: _ms, ...rest } = await ask(answer, "reset");
  expect(rest).toMatchObject({ status: 200, answer: null, fault: "app-response-incomplete" });
  expect(await ask(answer, "reset", false)).toMatchObject({ status: 200, fault: null });
  // The reset of one connection says nothing of another.
  expect(await ask(`${OK}\r\nok`)).toMatchObject({ answer: "ok", fault: null });
});
