import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { Agent } from "undici";
import { expect, test } from "vitest";
import { type Records, startFakeDns } from "@/tests/fake-dns";
import { readEnvironment } from "../../platform/environment";
import { findProof, readProofFile } from "./find-proof";

const domain = "acme.example";
const proof = "platform-verify=0123456789abcdef";
const asked = { domain, proof };
const RECORD = `_platform-verify.${domain}`;
const by = (server: string) => ({ PLATFORM_DNS_SERVERS: [server] });

test("a TXT record proves it, also in several strings and beside others", async () => {
  await using dns = await startFakeDns({
    [RECORD]: { txt: [["v=spf1 -all"], [proof.slice(0, 8), proof.slice(8)]] },
  });
  expect(await findProof(by(dns.server), asked)).toEqual({ provenBy: "dns" });
  expect(dns.asked).toEqual([RECORD]);
});

test("another value, another name, and no record prove nothing", async () => {
  const worlds: Record<string, Records>[] = [
    { [RECORD]: { txt: [["platform-verify=other"]] } },
    { [domain]: { txt: [[proof]] } },
    {},
  ];
  for (const records of worlds) {
    await using dns = await startFakeDns(records);
    expect(await findProof(by(dns.server), asked)).toMatchObject({ provenBy: undefined, isCertain: true });
  }
});

// Guarantee: what strangers put into their records costs a bounded time, and is not a failure of the platform.
test("of a thousand TXT records, the first hundred are read", async () => {
  const txt = Array.from({ length: 1_000 }, (_, index) => [`value ${index}`]);
  await using late = await startFakeDns({ [RECORD]: { txt: [...txt, [proof]] } });
  expect(await findProof(by(late.server), asked)).toMatchObject({
    provenBy: undefined,
    isCertain: true,
    problem: expect.stringContaining("has 1001 TXT records"),
  });
  await using early = await startFakeDns({ [RECORD]: { txt: [[proof], ...txt] } });
  expect(await findProof(by(early.server), asked)).toEqual({ provenBy: "dns" });
});

test("a name server that fails is no sign that the proof is gone", async () => {
  await using dns = await startFakeDns({ [RECORD]: { fails: true }, [domain]: { fails: true } });
  expect(await findProof(by(dns.server), asked)).toMatchObject({
    provenBy: undefined,
    isCertain: false,
    problem: expect.stringContaining("could not be read"),
  });
});

// Guarantee: nobody makes the platform connect to itself, a private network, or a cloud's metadata service.
test.each(["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"])(
  "a domain that resolves to %s is not connected to",
  async (address) => {
    await using dns = await startFakeDns({ [domain]: { a: [address] } });
    expect(await findProof(by(dns.server), asked)).toMatchObject({
      provenBy: undefined,
      problem: expect.stringMatching(/does not connect to https:\/\/acme\.example\/.*: .*\.$/),
    });
  },
);

test("one private address among public ones is enough to refuse", async () => {
  await using dns = await startFakeDns({ [domain]: { a: ["93.184.216.34", "10.0.0.1"] } });
  expect(await findProof(by(dns.server), asked)).toMatchObject({
    problem: expect.stringContaining("does not connect"),
  });
});

/** The file as this server sends it. The connection is plain: TLS is undici's. */
async function readFrom(listener: RequestListener) {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.headers.host}${incoming.url}`);
    listener(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const agent = new Agent({
    maxResponseSize: 4 * 1024,
    connect: (_options, callback) => {
      const socket = connect(address.port, "127.0.0.1");
      socket.once("connect", () => callback(null, socket));
      socket.once("error", (error) => callback(error, null));
    },
  });
  try {
    return { ...(await readProofFile(asked, agent)), requests };
  } finally {
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("the file proves it in a line of its own", async () => {
  const found = await readFrom((_request, response) => response.end(`# us\r\n ${proof} \r\n`));
  expect(found).toEqual({
    isFound: true,
    requests: [`${domain}/.well-known/platform-domain.txt`],
  });
  expect(await readFrom((_request, response) => response.end(`not ${proof}`))).toMatchObject({
    isFound: false,
    isCertain: true,
  });
});

test("a redirect is not followed, wherever it leads", async () => {
  for (const location of [
    "http://169.254.169.254/latest/meta-data",
    "https://other.example/",
    "/elsewhere",
  ]) {
    const found = await readFrom((_request, response) => response.writeHead(302, { location }).end());
    expect(found).toMatchObject({
      isFound: false,
      isCertain: true,
      problem: expect.stringContaining("returned a redirect (302)"),
      requests: [expect.any(String)],
    });
  }
});

test("a file of 10 MB is refused while it is read", async () => {
  let sent = 0;
  const found = await readFrom((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const write = () => {
      while (sent < 10_000_000 && !response.destroyed && response.write(chunk)) sent += chunk.length;
      if (sent < 10_000_000) response.once("drain", write);
      else response.end(proof);
    };
    write();
  });
  expect(found).toMatchObject({ isFound: false, problem: expect.stringContaining("larger than 4 KiB") });
  expect(sent).toBeLessThan(9_000_000);
});

test.each([
  [404, true],
  [410, true],
  [429, false],
  [503, false],
])("an answer %i: certain is %s", async (status, isCertain) => {
  expect(await readFrom((_request, response) => response.writeHead(status).end(proof))).toMatchObject({
    isFound: false,
    isCertain,
  });
});

test("the operator's name servers are addresses", () => {
  const read = (servers: string) =>
    readEnvironment({
      DATABASE_URL: "postgres://x",
      PLATFORM_MASTER_KEYS: "x",
      PLATFORM_DNS_SERVERS: servers,
    }).PLATFORM_DNS_SERVERS;
  expect(read("10.0.0.53, [fd00::53]:5353")).toEqual(["10.0.0.53", "[fd00::53]:5353"]);
  expect(read("")).toEqual([]);
  for (const servers of ["dns.example", "10.0.0.53:x", "10.0.0"])
    expect(() => read(servers)).toThrow(/PLATFORM_DNS_SERVERS: Write addresses/);
});
