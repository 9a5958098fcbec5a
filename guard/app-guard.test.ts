/** The guard of one app on loopback addresses: what passes, what doesn't, and what is counted. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { EgressPolicy, GuardOrder } from "@/lib/contract/runtime/egress";
import { STATE_RELAY_PORT } from "@/lib/domain/platform/guarded-app";
import { EGRESS_LIMITS, OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import { createCertificate } from "@/tests/egress/certificate";
import { createClientHello, extension, serverName, splitRecords } from "@/tests/egress/client-hello";
import { Counters } from "./counters";
import { createOwnListeners } from "./own-listeners";
import { createResolver } from "./resolve-name";
import { closeAddresses, createRules } from "./rules";

const [APP, OTHER_APP, GUARD, OUT, SERVER] = [
  "127.66.0.2",
  "127.66.0.12",
  "127.66.0.3",
  "127.66.0.4",
  "127.66.0.9",
];
const CALL_PORT = 20_001;
/** Ports below 1024 and 8080 on other loopback addresses: Linux, as root. */
const canListen = process.platform === "linux" && process.getuid?.() === 0;

/** What the network's name server says. A name can say something else each time. */
const NAMES: Record<string, () => string[]> = {
  "core.internal": () => [SERVER],
  "private.example": () => ["10.0.0.1"],
  "mapped.example": () => ["::ffff:10.0.0.1"],
  "metadata.example": () => ["169.254.169.254"],
  "mixed.example": () => ["93.184.216.34", "127.0.0.1"],
  "own.example": () => ["93.184.216.35"],
  "pages.example": () => [SERVER],
  "sly.example": () => [SERVER],
  "apps.internal": () => ["10.213.0.9"],
  "many.example": () => Array<string>(1_001).fill("93.184.216.34"),
};

describe.skipIf(!canListen)("the guard of an app", () => {
  const asked: string[] = [];
  const names = createResolver(async (name) => {
    asked.push(name);
    return NAMES[name]?.() ?? [];
  });
  const rules = createRules(createOwnListeners(), { names });
  const { counters } = rules;
  const worker = {};
  const follow = (given?: EgressPolicy, more: Partial<GuardOrder> = {}) => {
    const policies = given === undefined ? [] : [given];
    const places = [{ host: "pages.example", port: securePort }];
    const closed = { own: ["93.184.216.35"], never: ["10.213.0.0/16"], places };
    return rules.follow({ sequence: 1, from: "worker", policies, ...closed, ...more }, worker);
  };
  const servers: { close(): unknown }[] = [];
  const received: string[] = [];
  let policy: EgressPolicy;
  let [echoPort, httpPort, securePort, otherPort] = [0, 0, 0, 0];
  let authorities = "";

  const rule = (host: string, port: number, tls: boolean, isCore = false) => ({
    ...{ host, port, tls },
    ...{ isCore, mayBePrivate: isCore },
  });

  beforeAll(async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) =>
      socket.on("error", () => undefined).pipe(socket),
    );
    const http = createHttpServer((incoming, answer) => {
      void text(incoming).then((body) => {
        received.push(`${incoming.method} ${incoming.url} ${incoming.headers.host} ${body}`);
        if (incoming.url === "/endless") answer.write("the first part");
        else answer.end(`got ${body}`);
      });
    });
    echoPort = await listen(echo, SERVER, 0);
    httpPort = await listen(http, SERVER, 0);
    const certificate = createCertificate(SERVER);
    authorities = certificate.cert;
    const secure = createHttpsServer(certificate, ({ method, url, headers: { host }, socket }, answer) => {
      const servername = "servername" in socket ? socket.servername : undefined;
      received.push(`${method} ${url} ${host} ${servername}`);
      answer.end("over TLS");
    });
    securePort = await listen(secure, SERVER, 0);
    // It is trusted, and its certificate is for another address.
    const wrong = createCertificate("127.66.0.8");
    authorities += wrong.cert;
    otherPort = await listen(
      createHttpsServer(wrong, (_, answer) => answer.end("another core")),
      SERVER,
      0,
    );
    await listen(
      createServer((socket) => socket.end("the app")),
      APP,
      8080,
    );
    policy = {
      id: "network",
      versionId: "version",
      appAddress: APP,
      network: { guardAddress: GUARD, callAddress: OUT, callPort: CALL_PORT },
      stateApi: { host: SERVER, port: httpPort },
      anyHost: true,
      rules: [
        rule("core.internal", echoPort, true, true),
        rule("core.internal", httpPort, false, true),
        rule("apps.internal", echoPort, true, true),
        rule("private.example", echoPort, true),
        { ...rule("127-66-0-9.core.internal", httpPort, false, true), address: SERVER },
        { ...rule("127-66-0-9.core.internal", echoPort, true, true), address: SERVER },
        ...[securePort, otherPort].map((port) => ({
          ...rule("tls-127-66-0-9.core.internal", port, false, true),
          ...{ address: SERVER, isSecured: true },
        })),
        // A public tenant's core whose name leads into the platform's network.
        { ...rule("sly.example", httpPort, false, true), mayBePrivate: false },
        { ...rule("own.example", httpPort, false, true), mayBePrivate: false },
        // The platform's own name: declared by the app, and as a core on another port and on its own.
        rule("pages.example", echoPort, true),
        rule("pages.example", httpPort, false, true),
        rule("pages.example", securePort, true, true),
        { ...rule("10-213-0-9.core.internal", httpPort, false, true), address: "10.213.0.9" },
        {
          ...rule("10-0-0-1.core.internal", httpPort, false, true),
          address: "10.0.0.1",
          mayBePrivate: false,
        },
      ],
    };
    expect(await follow(policy)).toEqual([]);
  });

  afterAll(async () => {
    await follow();
    servers.forEach((server) => server.close());
  });

  async function listen(server: Server, host: string, port: number): Promise<number> {
    servers.push(server);
    server.listen(port, host);
    await once(server, "listening");
    const bound = server.address();
    return bound !== null && typeof bound === "object" ? bound.port : 0;
  }

  async function open(port: number, from = APP, to = GUARD): Promise<Socket> {
    const socket = connect({ host: to, port, localAddress: from, allowHalfOpen: true });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  }

  /** All that comes back after these bytes. */
  async function exchange(port: number, bytes: Uint8Array | string, from = APP): Promise<Buffer> {
    const socket = await open(port, from);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    const closed = once(socket, "close");
    // A client of HTTP leaves its side open.
    if (port === httpPort) socket.write(bytes);
    else socket.end(bytes);
    socket.once("end", () => socket.end());
    await closed;
    return Buffer.concat(chunks);
  }

  const greet = (name: string) => splitRecords(createClientHello([extension(0, serverName(name))]));
  const isAlert = (answer: Buffer) => answer.subarray(0, 1).equals(Buffer.of(21));
  const countOf = (host: string, port: number) =>
    counters.takeChanged().find((count) => count.host === host && count.port === port);

  test("TLS is relayed byte for byte, in both directions, and counted", async () => {
    const greeting = Buffer.concat([greet("CORE.internal"), Buffer.alloc(300_000, 7)]);
    expect((await exchange(echoPort, greeting)).equals(greeting)).toBe(true);
    const { length } = greeting;
    expect(countOf("core.internal", echoPort)).toMatchObject({
      connections: 1,
      refused: 0,
      bytesOut: length,
      bytesIn: length,
    });
  });

  test.each([
    ["no server name", splitRecords(createClientHello([])), ""],
    ["an address as server name", greet("127.66.0.9"), ""],
    ["a host that isn't declared on this port", greet("other.example"), "other.example"],
    ["a declared host with a private address", greet("private.example"), "private.example"],
    ["a core with an address of the apps' networks", greet("apps.internal"), "apps.internal"],
  ])("%s is refused with an alert, and counted", async (_, bytes, host) => {
    counters.takeChanged();
    expect(isAlert(await exchange(echoPort, bytes))).toBe(true);
    expect(countOf(host, echoPort)).toMatchObject({
      connections: 0,
      bytesOut: 0,
      reason: expect.stringMatching(/./),
    });
  });

  test.each([
    "private.example",
    "mapped.example",
    "metadata.example",
    "mixed.example",
    "own.example",
    "many.example",
  ])("any host on the internet doesn't mean %s", async (name) => {
    expect(isAlert(await exchange(443, greet(name)))).toBe(true);
    expect(asked).toContain(name);
  });

  test("names inside a network aren't even looked up", async () => {
    for (const name of ["localhost", "db", "metadata.google.internal"])
      expect(isAlert(await exchange(443, greet(name)))).toBe(true);
    expect(asked.filter((name) => /localhost|^db$|google/.test(name))).toEqual([]);
  });

  function ask(path: string, method = "GET", body = "", host = `core.internal:${httpPort}`): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = {
        host: GUARD,
        port: Number(host.split(":")[1] ?? httpPort),
        localAddress: APP,
        path,
        method,
        headers: { host },
        agent: false,
      };
      const outgoing = request(options, (answer) => {
        void text(answer).then((got) => resolve(`${answer.statusCode} ${got}`));
      });
      outgoing.on("error", reject).end(body);
    });
  }

  test("HTTP is relayed by its Host", async () => {
    expect(await ask("/a")).toBe("200 got ");
    expect(await ask("/b", "POST", "body")).toBe("200 got body");
    expect(received.slice(-2)).toEqual([
      `GET /a core.internal:${httpPort} `,
      `POST /b core.internal:${httpPort} body`,
    ]);
    expect(await ask("/c", "GET", "", `evil.example:${httpPort}`)).toMatch(/^403 The host evil\.example /);
    expect(await ask("/c", "GET", "", "127.0.0.1")).toMatch(/^400 /);
  });

  test("a core without a name is reached at exactly its address, and knows itself by it", async () => {
    asked.length = 0;
    expect(await ask("/core", "POST", "hello", `127-66-0-9.core.internal:${httpPort}`)).toBe("200 got hello");
    expect(received.at(-1)).toBe(`POST /core ${SERVER}:${httpPort} hello`);
    const greeting = greet("127-66-0-9.core.internal");
    expect((await exchange(echoPort, greeting)).equals(greeting)).toBe(true);
    expect(await ask("/core", "GET", "", `${SERVER}:${httpPort}`)).toMatch(/^400 /);
    expect(await ask("/core", "GET", "", `127-66-0-8.core.internal:${httpPort}`)).toMatch(/^403 /);
    expect(asked).toEqual([]);
  });

  // Guarantee: the token of a call reaches only a core that shows a certificate for the address that the customer entered.
  test("a core with HTTPS and no name is reached over TLS, if its certificate is for its address", async () => {
    const at = (port: number) => ask("/core", "GET", "", `tls-127-66-0-9.core.internal:${port}`);
    const before = received.length;
    counters.takeChanged();
    expect(await at(securePort)).toMatch(/^502 .* has a certificate that the platform does not trust/);
    expect(countOf("tls-127-66-0-9.core.internal", securePort)?.reason).toContain(
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    );
    await follow({ ...policy }, { authorities });
    expect(await at(securePort)).toBe("200 over TLS");
    expect(await at(otherPort)).toMatch(/^502 .* has a certificate that is not for this IP address/);
    // An app that speaks TLS itself gets nothing: it could not check the certificate.
    expect(isAlert(await exchange(securePort, greet("tls-127-66-0-9.core.internal")))).toBe(true);
    expect(received.slice(before)).toEqual([`GET /core ${SERVER}:${securePort} false`]);
    // What is not trusted anymore is not used anymore.
    await follow(policy);
    expect(await at(securePort)).toMatch(/^502 /);
  });

  test("an app may ask its core as often as it likes, and only new names are looked up within limits", async () => {
    const most = EGRESS_LIMITS.lookupsAtOnce;
    const answers = [];
    for (let index = 0; index < most + 100; index += 1) answers.push(await ask("/often"));
    expect(answers.filter((answer) => answer !== "200 got ")).toEqual([]);
    asked.length = 0;
    // More lookups are allowed as time passes, so it doesn't.
    const time = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    for (let index = 0; index < most + 100; index += 1)
      await exchange(443, greet(`n${index}.tunnel.example`));
    time.mockRestore();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(most);
    // What was looked up before is still there for the app.
    expect(await ask("/still")).toBe("200 got ");
  });

  // Guarantee: whatever a manifest or a customer names, no app gets to the platform's pages, gateway or registry.
  test("the platform's own host is refused before it is looked up, except for another port of a private core", async () => {
    asked.length = 0;
    for (const port of [echoPort, securePort, 443]) {
      counters.takeChanged();
      expect(isAlert(await exchange(port, greet("pages.example")))).toBe(true);
      expect(countOf("pages.example", port)?.reason).toBe("is a host of the platform itself");
    }
    expect(asked).toEqual([]);
    expect(await ask("/core", "GET", "", `pages.example:${httpPort}`)).toBe("200 got ");
  });

  test.each(["sly.example", "own.example", "10-213-0-9.core.internal", "10-0-0-1.core.internal"])(
    "a core has no more rights than the platform itself: %s",
    async (name) => {
      // Names that were asked before may have used up the look-ups of this second.
      await expect
        .poll(() => ask("/core", "GET", "", `${name}:${httpPort}`))
        .toMatch(/^403 .* has an address /);
    },
  );

  test("no second request hides behind a first one", async () => {
    const before = received.length;
    const host = `Host: core.internal:${httpPort}\r\n`;
    const hidden = `GET /hidden HTTP/1.1\r\nHost: evil.example:${httpPort}\r\n\r\n`;
    const attempts = [
      `POST /1 HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `POST /2 HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n${hidden}`,
      `POST /3 HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: 80\r\n\r\n${hidden}`,
      `GET /4 HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`,
      `GET /5 HTTP/1.1\r\n\r\n`,
      `GET /6 HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n${hidden}`,
      `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
      `GET http://evil.example/7 HTTP/1.1\r\n${host}\r\n`,
      `GET /8 HTTP/1.1\n${host}X: a\nHost : evil.example\r\n\r\n`,
      `nonsense\r\n\r\n`,
    ];
    for (const attempt of attempts) {
      const answer = (await exchange(httpPort, attempt)).toString();
      expect(answer, attempt).toMatch(/^HTTP\/1\.1 (400|403|405|501) /);
      expect(answer, attempt).not.toContain("200 OK");
    }
    expect(received.slice(before)).toEqual([]);
    // A proper second request is one of its own, and has to name an allowed host, too.
    const both = (await exchange(httpPort, `GET /9 HTTP/1.1\r\n${host}\r\n${hidden}`)).toString();
    expect(both).toMatch(/200 OK[^]*403 Forbidden/);
    expect(received.slice(before)).toEqual([`GET /9 core.internal:${httpPort} `]);
  });

  // Guarantee: a program that tries a host where it commonly is learns why it can't, and so does the publisher.
  test("on the usual ports, what no rule allows is refused with a reason and counted", async () => {
    counters.takeChanged();
    expect(isAlert(await exchange(8_443, greet("core.internal")))).toBe(true);
    for (const port of [80, 8_080])
      expect(await ask("/", "GET", "", `core.internal:${port}`)).toMatch(/^403 The host core\.internal /);
    const counted = counters.takeChanged().map(({ host, port, refused }) => [host, port, refused]);
    expect(counted).toEqual([8_443, 80, 8_080].map((port) => ["core.internal", port, 1]));
  });

  test("nothing comes from another address than the app's", async () => {
    expect(await exchange(echoPort, greet("core.internal"), OTHER_APP)).toEqual(Buffer.alloc(0));
    expect(await exchange(STATE_RELAY_PORT, "GET / HTTP/1.0\r\n\r\n", OTHER_APP)).toEqual(Buffer.alloc(0));
  });

  test("the app reaches the state API, and the platform the app", async () => {
    const answer = await exchange(STATE_RELAY_PORT, "GET /state HTTP/1.0\r\nhost: state\r\n\r\n");
    expect(answer.toString()).toContain("got ");
    const call = await open(CALL_PORT, OUT, OUT);
    expect(await text(call)).toBe("the app");
  });

  const query = (name: string) =>
    Buffer.from([
      ...[0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      ...name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]),
      ...[0, 0, 1, 0, 1],
    ]);

  test("names are answered over UDP and TCP, and a flood of questions is not", async () => {
    const socket = createSocket("udp4").bind(0, APP);
    let answers = 0;
    socket.on("message", () => (answers += 1));
    await once(socket, "listening");
    socket.send(query("core.internal"), 53, GUARD);
    const [message]: Buffer[] = await once(socket, "message");
    expect([...(message ?? Buffer.alloc(0)).subarray(-4)].join(".")).toBe(GUARD);
    // A program without a cache of names asks for each of its connections.
    for (let index = 0; index < 1_000; index += 1) {
      socket.send(query("core.internal"), 53, GUARD);
      await once(socket, "message");
    }
    answers = 0;
    const framed = Buffer.concat([Buffer.of(0, query("evil.internal").length), query("evil.internal")]);
    const overTcp = await exchange(53, framed);
    expect(overTcp.readUInt16BE() + 2).toBe(overTcp.length);
    expect((overTcp[5] ?? 0) & 15).toBe(3);
    const time = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    for (let index = 0; index < 2_000; index += 1) socket.send(query(`a${index}.evil.internal`), 53, GUARD);
    // The last one of these is answered after all before it.
    await expect.poll(() => answers).toBeGreaterThan(100);
    await new Promise((resolve) => setTimeout(resolve, 300));
    time.mockRestore();
    expect(answers).toBeLessThanOrEqual(EGRESS_LIMITS.unknownAtOnce);
    socket.close();
    // They are not kept one by one for ever, and those without an answer are counted, too.
    const counted = counters.takeChanged();
    expect(counted.length).toBeLessThanOrEqual(EGRESS_LIMITS.hosts + 1);
    expect(counted.find(({ host }) => host === OTHER_HOSTS)?.refused).toBeGreaterThan(0);
  });

  test("an app that opens too many connections has no more, and one that closes some has others", async () => {
    const many = await Promise.all(
      Array.from({ length: EGRESS_LIMITS.connections + 20 }, () => open(echoPort)),
    );
    const ended = () => many.filter((socket) => socket.readableEnded || socket.destroyed).length;
    many.forEach((socket) => socket.resume());
    await expect.poll(ended).toBe(20);
    many.forEach((socket) => socket.destroy());
    // Those that said nothing leave at once, not after a deadline.
    await expect
      .poll(async () => (await exchange(echoPort, greet("core.internal"))).length, { timeout: 5_000 })
      .toBeGreaterThan(50);
  });

  test("rules that change count for the next connection, and ports that no rule needs are closed", async () => {
    await follow({ ...policy, rules: [], anyHost: false });
    await expect(open(echoPort)).rejects.toThrow("ECONNREFUSED");
    await follow(policy);
    expect((await exchange(echoPort, greet("core.internal"))).length).toBeGreaterThan(50);
  });

  // Guarantee: a host that was refused, or a core whose customer left, gets nothing anymore through what was open before.
  test("connections that the changed rules don't allow are ended, and all others go on", async () => {
    const tunnel = async (name: string) => {
      const socket = await open(echoPort);
      socket.write(greet(name));
      await once(socket, "data");
      return socket;
    };
    const [kept, left] = [await tunnel("core.internal"), await tunnel("127-66-0-9.core.internal")];
    const download = await open(httpPort);
    download.write(`GET /endless HTTP/1.1\r\nHost: core.internal:${httpPort}\r\n\r\n`);
    await once(download, "data");
    const ended = Promise.all([once(left.resume(), "close"), once(download.resume(), "close")]);
    for (const socket of [left, download]) socket.once("end", () => socket.end());
    await follow({ ...policy, rules: [rule("core.internal", echoPort, true, true)] });
    await ended;
    kept.write("still there");
    expect(String(await once(kept, "data"))).toBe("still there");
    // It is still allowed, but not at the private address where it is.
    const closed = once(kept.resume(), "close");
    kept.once("end", () => kept.end());
    await follow({
      ...policy,
      rules: [{ ...rule("core.internal", echoPort, true, true), mayBePrivate: false }],
    });
    await closed;
    await follow(policy);
  });
});

test("an address that was checked is the one that is used, whatever the name says next", async () => {
  let look = 0;
  let now = 0;
  const lookup = async () => (look++ === 0 ? ["93.184.216.34"] : ["127.0.0.1"]);
  const { resolve } = createResolver(lookup, () => now);
  const closed = closeAddresses([], []);
  const reachable = { allowsPrivate: false, allowsOwn: false };
  expect(await resolve("rebinding.example", reachable, closed)).toBe("93.184.216.34");
  expect(await resolve("rebinding.example", reachable, closed)).toBe("93.184.216.34");
  now = 60_000;
  await expect(resolve("rebinding.example", reachable, closed)).rejects.toThrow(
    "this machine or on a private network",
  );
});

test("hosts beyond a thousand are counted together", () => {
  const counters = new Counters(() => 5);
  const app = { id: "a", versionId: "v" };
  for (let index = 0; index < 3_000; index += 1) counters.refused(app, `h${index}.example`, 443, "is closed");
  const counts = counters.takeChanged();
  expect(counts).toHaveLength(EGRESS_LIMITS.hosts + 1);
  expect(counts.at(-1)).toMatchObject({ host: "other hosts", refused: 2_000, firstAt: 5, lastAt: 5 });
  expect(counters.takeChanged()).toEqual([]);
});
