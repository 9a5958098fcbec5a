/** The command line behind a proxy that forwards plain HTTP and tunnels the rest, as a company's does. */
import { createServer as createHttpServer, type IncomingMessage, request, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readCliEnvironment } from "../terminal/environment";
import { runProgram } from "../program";
import { givenCli, KEY } from "@/tests/cli/publishing-cli";
import { chooseDispatcher } from "./call-platform";

/** Only the proxy knows where it is. */
const HOST = "platform.internal";
const cli = givenCli();
const seen = { forwarded: [] as string[], tunneled: [] as string[], authorizations: new Set<unknown>() };

let needsLogin = false;

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const target = () => new URL(cli.url()).port;

const proxy = createHttpServer((incoming: IncomingMessage, outgoing) => {
  if (needsLogin && incoming.headers["proxy-authorization"] === undefined)
    return void outgoing.writeHead(407, { "proxy-authenticate": "Basic" }).end();
  const url = new URL(incoming.url ?? "");
  seen.forwarded.push(`${incoming.method} ${url.pathname}`);
  seen.authorizations.add(incoming.headers["proxy-authorization"]);
  const { "proxy-authorization": _own, ...headers } = incoming.headers;
  const options = { port: target(), method: incoming.method, path: url.pathname + url.search, headers };
  const onward = request({ host: "127.0.0.1", ...options }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
  onward.on("error", () => outgoing.destroy());
});
proxy.on("connect", (incoming, socket) => {
  seen.tunneled.push(incoming.url ?? "");
  const onward = connect(Number(target()), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.pipe(onward).pipe(socket);
  });
  const end = () => (socket.destroy(), onward.destroy());
  onward.on("error", end);
  socket.on("error", end);
});

beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
beforeEach(() => {
  seen.forwarded = [];
  seen.tunneled = [];
  seen.authorizations.clear();
  needsLogin = false;
});

function run(argv: string[], variables: Record<string, string>): Promise<number> {
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: cli.folder,
    PLATFORM_CLIENT_ID: KEY.clientId,
    PLATFORM_API_KEY: KEY.apiKey,
    ...variables,
  });
  return runProgram(argv, { ...environment, uploadRetryMs: [1] }, cli.output);
}

const publish = () => ["publish", cli.archiveFile, "--manifest", cli.manifestFile];
const printed = () => cli.output.lines.join("\n");

test("with HTTP_PROXY, every request of a publication goes through the proxy, including uploads", async () => {
  const versions = cli.accept();
  const PLATFORM_URL = `http://${HOST}:${target()}`;
  const HTTP_PROXY = `http://ann:p%40ss@127.0.0.1:${portOf(proxy)}`;
  expect(await run(publish(), { PLATFORM_URL, HTTP_PROXY }), printed()).toBe(0);
  expect(versions).toHaveLength(1);
  expect(seen.forwarded).toEqual(
    expect.arrayContaining([
      "GET /publish/v1/apps/acme/x-app/manifest",
      "POST /publish/v1/uploads",
      expect.stringMatching(/^PATCH \/publish\/v1\/uploads\/sha256:/),
      "POST /publish/v1/apps/acme/x-app/versions",
    ]),
  );
  expect([...seen.authorizations]).toEqual([`Basic ${Buffer.from("ann:p@ss").toString("base64")}`]);
  expect(printed()).not.toContain("p%40ss");
});

test("with HTTPS_PROXY, requests to an HTTPS platform are tunneled, so that the proxy reads nothing", async () => {
  const variables = { PLATFORM_URL: `https://${HOST}`, https_proxy: `127.0.0.1:${portOf(proxy)}` };
  // The platform of this test does not speak TLS, so it ends there.
  expect(await run(["whoami"], variables)).toBe(5);
  expect(seen.tunneled).toEqual([`${HOST}:443`]);
  expect(seen.forwarded).toEqual([]);
  expect(printed()).toContain("check the proxy");
});

// Guarantee: the proxy is the one that curl, npm and Node would use. Undici's own choice differs.
test("a proxy for one protocol is not used for the other", async () => {
  cli.accept();
  const url = `http://127.0.0.1:${portOf(proxy)}`;
  const secure = { PLATFORM_URL: `https://127.0.0.1:${target()}` };
  expect(await run(["whoami"], { ...secure, HTTP_PROXY: url })).toBe(5);
  expect(printed()).not.toContain("PROXY");
  const plain = { PLATFORM_URL: cli.url() };
  expect(await run(publish(), { ...plain, HTTPS_PROXY: "http://127.0.0.1:1" }), printed()).toBe(0);
  expect([seen.forwarded, seen.tunneled]).toEqual([[], []]);
  expect(await run(["whoami"], { ...secure, HTTP_PROXY: "http://127.0.0.1:1", HTTPS_PROXY: url })).toBe(5);
  expect(seen.tunneled).toEqual([`127.0.0.1:${target()}`]);
  expect(printed()).toContain("HTTPS_PROXY is set");
});

test("hosts that NO_PROXY names are reached directly", async () => {
  cli.accept();
  const HTTP_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
  for (const NO_PROXY of ["*", "other.example,127.0.0.1", `127.0.0.1:${target()}`]) {
    await cli.writeArchive();
    expect(await run(publish(), { PLATFORM_URL: cli.url(), HTTP_PROXY, NO_PROXY }), printed()).toBe(0);
  }
  expect([seen.forwarded, seen.tunneled]).toEqual([[], []]);
  expect(await run(publish(), { PLATFORM_URL: cli.url(), HTTP_PROXY, NO_PROXY: "other.example" })).toBe(0);
  expect(seen.forwarded).not.toEqual([]);
});

// Guarantee: the same exceptions as curl's, so that one setting works for all tools of a machine.
test.each([
  ["http://platform.internal", "platform.internal", true],
  ["http://platform.internal", "internal", true],
  ["http://platform.internal", ".internal", true],
  ["http://platform.internal", "*.internal", true],
  ["http://platform.internal.", "Platform.Internal", true],
  ["http://platform.internal", "a.example other.example, platform.internal", true],
  ["http://platform.internal", "form.internal", false],
  ["http://platform.internal", "platform.internal:80", true],
  ["http://platform.internal:4000", "platform.internal:80", false],
  ["http://platform.internal:4000", "platform.internal:4000", true],
  ["http://10.1.2.3", "10.0.0.0/8", true],
  ["http://11.1.2.3", "10.0.0.0/8", false],
  ["http://10.1.2.3", "10.0.0.0/99", false],
  ["http://10.1.2.3", "2.3", false],
  ["http://[fd00::1]", "fd00::/8", true],
  ["http://[::1]:4000", "::1", true],
  ["http://[::1]:4000", "[::1]:4000", true],
  ["http://platform.internal", ",, ", false],
])("%s with NO_PROXY=%s: direct is %s", (url, exceptions, isDirect) => {
  const proxies = { http: "http://127.0.0.1:1", https: "", exceptions };
  expect(chooseDispatcher({ url, proxies }) === undefined).toBe(isDirect);
});

test("an address that NO_PROXY names is not blamed on the proxy", async () => {
  const variables = { PLATFORM_URL: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:2" };
  expect(await run(["whoami"], { ...variables, NO_PROXY: "127.0.0.0/8" })).toBe(5);
  expect(printed()).toContain("http://127.0.0.1:1 can't be reached");
  expect(printed()).not.toContain("HTTP_PROXY");
});

test("the message names a proxy that doesn't respond, requires a login, or has an invalid URL", async () => {
  const PLATFORM_URL = `http://${HOST}`;
  expect(await run(["whoami"], { PLATFORM_URL, HTTP_PROXY: "http://127.0.0.1:1" })).toBe(5);
  expect(printed()).toContain("HTTP_PROXY is set");
  needsLogin = true;
  expect(await run(["whoami"], { PLATFORM_URL, HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` })).toBe(5);
  expect(printed()).toContain("Proxy Authentication Required (407)");
  expect(await run(["whoami"], { PLATFORM_URL, HTTP_PROXY: "socks5://u:hidden@127.0.0.1:1" })).toBe(2);
  expect(printed()).toContain("HTTP_PROXY is not the URL of an HTTP proxy");
  expect(printed()).not.toContain("hidden");
});

// Guarantee: a key goes to the origin that it is for, whatever address an answer names.
test("an upload that the platform redirects to another origin is not sent there", async () => {
  let strangers = 0;
  const other = createHttpServer((_incoming, outgoing) => {
    strangers += 1;
    outgoing.writeHead(204).end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  cli.answerUpload = (incoming, outgoing) => {
    const location = `http://127.0.0.1:${portOf(other)}/publish/v1/uploads/x`;
    const headers = { "tus-resumable": "1.0.0", location };
    outgoing.writeHead(incoming.method === "POST" ? 201 : 404, headers).end();
  };
  expect(await run(publish(), { PLATFORM_URL: cli.url() })).toBe(5);
  expect(printed()).toContain("Your key was not sent there");
  expect(strangers).toBe(0);
  other.close();
});
