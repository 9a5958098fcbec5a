/**
 * Looks for the proof that an organization owns a domain: a TXT record, then a file. Both are from outside: what is read is bounded, and
 * the file's host never leads to a private address or to another host.
 */
import { Resolver } from "node:dns/promises";
import { Agent, type Dispatcher, errors, request } from "undici";
import type { DomainProof } from "@/lib/contract/accounts/domain";
import { proofUrl, recordName } from "@/lib/domain/accounts/domain";
import type { Environment } from "../../platform/environment";
import { checkedConnector, CoreAddressError, type ResolveHost } from "../../platform/requests/core-agent";

export type FoundProof =
  | { provenBy: DomainProof }
  /** `isCertain`: the domain answered, and the proof is not there. Otherwise it could not be asked. */
  | { provenBy: undefined; isCertain: boolean; problem: string };

interface Asked {
  domain: string;
  /** What record and file must say. */
  proof: string;
}

const DNS_MS = 2_000;
const FILE_MS = 5_000;
const FILE_BYTES = 4 * 1024;
const RECORDS = 100;

/** Of the resolvers that the operator chose, or of this machine. */
export async function findProof(
  { PLATFORM_DNS_SERVERS: servers }: Pick<Environment, "PLATFORM_DNS_SERVERS">,
  asked: Asked,
): Promise<FoundProof> {
  const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const record = await readRecord(resolver, asked);
  if (record.isFound) return { provenBy: "dns" };
  const agent = new Agent({
    maxResponseSize: FILE_BYTES,
    maxHeaderSize: 16 * 1024,
    headersTimeout: FILE_MS,
    bodyTimeout: FILE_MS,
    connect: checkedConnector(() => false, servers.length > 0 ? addressesBy(resolver) : undefined),
  });
  try {
    const file = await readProofFile(asked, agent);
    if (file.isFound) return { provenBy: "file" };
    const isCertain = record.isCertain && file.isCertain;
    return { provenBy: undefined, isCertain, problem: `${record.problem} ${file.problem}` };
  } finally {
    await agent.destroy();
  }
}

type Look = { isFound: true } | { isFound: false; isCertain: boolean; problem: string };

const missing = (problem: string): Look => ({ isFound: false, isCertain: true, problem });
const unknown = (problem: string): Look => ({ isFound: false, isCertain: false, problem });

async function readRecord(resolver: Resolver, { domain, proof }: Asked): Promise<Look> {
  const name = recordName(domain);
  let records: string[][];
  try {
    records = await resolver.resolveTxt(name);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOTFOUND" || code === "ENODATA") return missing(`${name} has no TXT record.`);
    return unknown(`The TXT record of ${name} could not be read (${code || "unknown error"}).`);
  }
  // A record is a list of strings of up to 255 bytes, which belong together.
  const values = records.slice(0, RECORDS).map((parts) => parts.join("").trim());
  if (values.includes(proof)) return { isFound: true };
  if (records.length > RECORDS)
    return missing(
      `${name} has ${records.length} TXT records, and none of the first ${RECORDS} match. Remove some, then check again.`,
    );
  return missing(`No TXT record of ${name} has the value.`);
}

/** For an exchangeable connection. Follows no redirect: another host would prove nothing. */
export async function readProofFile({ domain, proof }: Asked, dispatcher: Dispatcher): Promise<Look> {
  const url = proofUrl(domain);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { accept: "text/plain", "accept-encoding": "identity", "user-agent": "app-hosting-platform" },
      signal: AbortSignal.timeout(FILE_MS),
    });
    if (statusCode !== 200) {
      // What it sends is not read, however long it is. Ending it early is an error of the stream.
      body.on("error", () => undefined).destroy();
      if (statusCode >= 300 && statusCode < 400)
        return missing(`${url} returned a redirect (${statusCode}), which is not followed.`);
      const problem = `${url} returned ${statusCode}.`;
      return statusCode >= 500 || statusCode === 429 ? unknown(problem) : missing(problem);
    }
    const text = await body.text();
    const isThere = text.split(/\r?\n/).some((line) => line.trim() === proof);
    return isThere ? { isFound: true } : missing(`${url} doesn't contain the text.`);
  } catch (error) {
    return describeFailure(error, url);
  }
}

function describeFailure(error: unknown, url: string): Look {
  const code = codeOf(error);
  if (error instanceof CoreAddressError)
    return missing(`The platform does not connect to ${url}: ${error.message}.`);
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return missing(`${url} is larger than ${FILE_BYTES / 1024} KiB.`);
  if (code === "ENOTFOUND" || code === "ENODATA") return missing(`The host of ${url} has no address.`);
  if (code === "ECONNREFUSED") return missing(`${url} refused the connection.`);
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code))
    return missing(`The TLS certificate of ${url} is not trusted (${code}).`);
  const isLate = error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name);
  return unknown(
    isLate || code.endsWith("_TIMEOUT")
      ? `${url} did not respond within ${FILE_MS / 1000} seconds.`
      : `${url} could not be read.`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** IPv4 and IPv6 addresses, from the resolvers that also have the records. */
function addressesBy(resolver: Resolver): ResolveHost {
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const [first] = found;
    if (addresses.length === 0 && first.status === "rejected") throw first.reason;
    return addresses;
  };
}
