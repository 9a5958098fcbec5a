/** Until when the certificates are valid that the platform's own servers show. What shows none, or can't be reached, is left out. */
import { isIP } from "node:net";
import { connect, type PeerCertificate, TLSSocket } from "node:tls";
import type { Pool } from "pg";
import type { Certificate } from "@/lib/domain/surface/operation";
import type { Platform } from "../../platform/platform";

const PATIENCE_MS = 3_000;
/** They change rarely, and the page reloads by itself. */
const REMEMBER_MS = 10 * 60_000;

const known = new WeakMap<Pool, { certificates: Promise<Certificate[]>; until: number }>();

/** Asked again after ten minutes. */
export function readCertificates(platform: Platform): Promise<Certificate[]> {
  const last = known.get(platform.pool);
  if (last !== undefined && Date.now() < last.until) return last.certificates;
  const certificates = askAll(platform);
  known.set(platform.pool, { certificates, until: Date.now() + REMEMBER_MS });
  return certificates;
}

async function askAll({ pool, environment }: Platform): Promise<Certificate[]> {
  const { PLATFORM_WEB_URL, PLATFORM_GATEWAY_URL, PLATFORM_REGISTRY_URL } = environment;
  const asked = await Promise.all([
    name("the pages", askServer(PLATFORM_WEB_URL)),
    name("the gateway", askServer(PLATFORM_GATEWAY_URL)),
    name("the registry", askServer(PLATFORM_REGISTRY_URL)),
    name("the database", askDatabase(pool)),
  ]);
  return asked.flat();
}

async function name(of: string, asked: Promise<Date | undefined>): Promise<Certificate[]> {
  const validUntil = await asked;
  return validUntil === undefined ? [] : [{ of, validUntil }];
}

/** Connects, looks at the certificate, and says nothing. */
function askServer(address: string): Promise<Date | undefined> {
  // Without a registry, it is empty.
  if (!address.startsWith("https:")) return Promise.resolve(undefined);
  const url = new URL(address);
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  return new Promise((resolve) => {
    // One that has expired is what operators want to know about.
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false };
    const socket = connect({ ...options, ...(isIP(host) === 0 && { servername: host }) });
    const finish = (validUntil: Date | undefined) => {
      resolve(validUntil);
      socket.destroy();
    };
    socket.setTimeout(PATIENCE_MS, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.once("secureConnect", () => finish(readEnd(socket.getPeerCertificate())));
  });
}

/** Of a connection that the platform uses. */
async function askDatabase(pool: Pool): Promise<Date | undefined> {
  const client = await pool.connect();
  try {
    const connection: unknown = Reflect.get(client, "connection");
    const stream: unknown =
      typeof connection === "object" && connection !== null && Reflect.get(connection, "stream");
    return stream instanceof TLSSocket ? readEnd(stream.getPeerCertificate()) : undefined;
  } finally {
    client.release();
  }
}

/** Node returns an object without members if there is no certificate. */
function readEnd({ valid_to }: Partial<PeerCertificate>): Date | undefined {
  const end = new Date(valid_to ?? "");
  return Number.isNaN(end.getTime()) ? undefined : end;
}
