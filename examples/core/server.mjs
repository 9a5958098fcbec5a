// A small core: products and policies of a few tenants, behind tokens that the platform signs.
// It can fire events at the platform as a real policy system would.
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { DEMO_TENANTS } from "./tenants.mjs";

const { CORE_PORT = "4100", CORE_HOSTS = "127.0.0.1", CORE_GATEWAY = "http://127.0.0.1:4000" } = process.env;
const CORE_URL = (process.env.CORE_URL ?? `http://127.0.0.1:${CORE_PORT}`).replace(/\/$/, "");

/**
 * Host name → { organization, credential, apiKey, products, policies }. `organization`, when there is one, is the slug of
 * the platform's organization whose tokens this tenant trusts: no other's are taken. `credential` is what the core shows
 * the platform; `apiKey`, when there is one, is what the platform shows the core beside its token when it reads the products.
 */
const tenants = new Map(Object.entries(DEMO_TENANTS));
/** What administration changed, kept in the file that CORE_FILE names, if it names one. */
const { CORE_FILE } = process.env;
const administered = CORE_FILE && existsSync(CORE_FILE) ? JSON.parse(readFileSync(CORE_FILE, "utf8")) : {};
for (const [hostName, changes] of Object.entries(administered)) putTenant(hostName, changes);
for (const [hostName, changes] of Object.entries(JSON.parse(process.env.CORE_TENANTS ?? "{}")))
  putTenant(hostName, changes);

function putTenant(hostName, changes) {
  tenants.set(hostName, { products: [], policies: {}, ...tenants.get(hostName), ...changes });
}

function administer(hostName, changes) {
  putTenant(hostName, changes);
  administered[hostName] = { ...administered[hostName], ...changes };
  if (!CORE_FILE) return;
  writeFileSync(`${CORE_FILE}.new`, JSON.stringify(administered), { mode: 0o600 });
  renameSync(`${CORE_FILE}.new`, CORE_FILE);
}

let publicKeys = new Map();
async function publicKey(keyId) {
  if (!publicKeys.has(keyId)) {
    const answer = await fetch(`${CORE_GATEWAY}/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(5_000),
    });
    const { keys } = await answer.json();
    publicKeys = new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: "jwk" })]));
  }
  return publicKeys.get(keyId);
}

/**
 * Did the platform sign this token for this tenant, and is it still good? Anybody may connect this address to the
 * platform, so `aud` alone says nothing of who asks: `tenant` and `org` do.
 */
async function isForTenant(header, hostName, { organization }) {
  const [head, body, signature, ...rest] = (header ?? "").replace(/^Bearer /, "").split(".");
  if (!signature || rest.length > 0) return false;
  const decode = (part) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { alg, kid } = decode(head);
  const key = alg === "EdDSA" ? await publicKey(kid) : undefined;
  if (!key || !verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
    return false;
  const { aud, org, tenant, exp } = decode(body);
  const isOurs = aud === `${CORE_URL}/tenants/${hostName}` && tenant === hostName;
  return isOurs && (organization === undefined || org === organization) && exp > Date.now() / 1000;
}

/** `fire`: an event, sent to the platform with the tenant's own credential. */
async function fire(tenant, { id = randomUUID(), type, data = {}, transactionId, username }) {
  const event = { id, type, timestamp: new Date().toISOString(), transactionId, username, data };
  const headers = { "content-type": "application/json", authorization: `Bearer ${tenant.credential}` };
  const answer = await fetch(`${CORE_GATEWAY}/core/v1/events`, {
    method: "POST",
    headers,
    body: JSON.stringify(event),
  });
  return [answer.status, await answer.json()];
}

/** By any of its addresses: an engine's firewall gives connections to its bridge another one of them. */
function isOfThisMachine(address) {
  const bare = address.replace(/^::ffff:/, "");
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []);
  return bare.startsWith("127.") || own.includes(bare);
}

async function answer(request) {
  const [, root, hostName, collection, name] = new URL(request.url, CORE_URL).pathname
    .split("/")
    .map(decodeURIComponent);
  if (root === "health") return [200, { ok: true }];
  const tenant = tenants.get(hostName);
  // Administration, by which a launcher or a test sets tenants up: from this machine alone.
  const local = isOfThisMachine(request.socket.remoteAddress ?? "");
  if (root === "tenants" && local && request.method === "PUT" && hostName && !collection) {
    administer(hostName, JSON.parse(await text(request)));
    return [200, { coreApiUrl: `${CORE_URL}/tenants/${hostName}` }];
  }
  if (root !== "tenants" || !tenant) return [404, { error: "There is no such tenant." }];
  if (local && request.method === "POST" && collection === "fire")
    return fire(tenant, JSON.parse(await text(request)));
  if (!(await isForTenant(request.headers.authorization, hostName, tenant).catch(() => false))) {
    return [401, { error: "Send a token that the platform signed for this tenant." }];
  }
  if (request.method === "GET" && collection === "products" && !name) {
    if (tenant.apiKey && request.headers["x-api-key"] !== tenant.apiKey)
      return [401, { error: "Send this tenant's API key in x-api-key." }];
    return [200, { products: tenant.products }];
  }
  const policy =
    collection === "policies" && Object.hasOwn(tenant.policies, name ?? "")
      ? tenant.policies[name]
      : undefined;
  return request.method === "GET" && policy
    ? [200, { locator: name, ...policy }]
    : [404, { error: "There is no such policy." }];
}

async function handle(request, response) {
  const [status, body] = await answer(request).catch((error) => [400, { error: error.message }]);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
for (const host of CORE_HOSTS.split(",")) createServer(handle).listen(Number(CORE_PORT), host);
process.on("SIGTERM", () => process.exit(0));
