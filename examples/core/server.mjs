// A small core: products and policies of a few tenants, behind tokens that the platform signs.
// It can send events to the platform as a real policy system would.
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { DEMO_TENANTS } from "./tenants.mjs";

const { CORE_PORT = "4100", CORE_HOSTS = "127.0.0.1", CORE_GATEWAY = "http://127.0.0.1:4000" } = process.env;
const CORE_URL = (process.env.CORE_URL ?? `http://127.0.0.1:${CORE_PORT}`).replace(/\/$/, "");

/**
 * Host name → { organization, credential, apiKey, products, policies }. `organization` (optional) is the slug of the only
 * organization whose tokens this tenant trusts. `credential` authenticates the core to the platform. `apiKey` (optional)
 * authenticates the platform, in addition to its token, when it reads the products.
 */
const tenants = new Map(Object.entries(DEMO_TENANTS));
/** Changes by the administration API, stored in CORE_FILE if it is set. */
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
  store();
}

/** Forgets a tenant that was added by the administration API. */
function remove(hostName) {
  if (!Object.hasOwn(administered, hostName)) return;
  tenants.delete(hostName);
  delete administered[hostName];
  store();
}

function store() {
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
 * The token's claims; undefined unless the platform signed it for this tenant and it has not expired. Anyone can connect this URL to the
 * platform, so `aud` alone does not identify the caller; `tenant` and `org` do.
 */
async function openToken(header, hostName, { organization }) {
  const [head, body, signature, ...rest] = (header ?? "").replace(/^Bearer /, "").split(".");
  if (!signature || rest.length > 0) return undefined;
  const decode = (part) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { alg, kid } = decode(head);
  const key = alg === "EdDSA" ? await publicKey(kid) : undefined;
  if (!key || !verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
    return undefined;
  const { aud, org, tenant, exp, scope } = decode(body);
  const isOurs = aud === `${CORE_URL}/tenants/${hostName}` && tenant === hostName;
  const isValid = isOurs && (organization === undefined || org === organization) && exp > Date.now() / 1000;
  return isValid ? { scope } : undefined;
}

/** Sends an event to the platform with the tenant's credential. */
async function sendEvent(tenant, { id = randomUUID(), type, data = {}, transactionId, username }) {
  const event = { id, type, timestamp: new Date().toISOString(), transactionId, username, data };
  const headers = { "content-type": "application/json", authorization: `Bearer ${tenant.credential}` };
  const answer = await fetch(`${CORE_GATEWAY}/core/v1/events`, {
    method: "POST",
    headers,
    body: JSON.stringify(event),
  });
  return [answer.status, await answer.json()];
}

/** Checks all addresses of this machine, because connections through an engine's bridge may use another one. */
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
  // The administration API, for launchers and tests. Only from this machine.
  const local = isOfThisMachine(request.socket.remoteAddress ?? "");
  if (root === "tenants" && local && request.method === "PUT" && hostName && !collection) {
    administer(hostName, JSON.parse(await text(request)));
    return [200, { coreApiUrl: `${CORE_URL}/tenants/${hostName}` }];
  }
  if (root === "tenants" && local && request.method === "DELETE" && hostName && !collection) {
    remove(hostName);
    return [200, {}];
  }
  if (root !== "tenants" || !tenant) return [404, { error: "This tenant does not exist." }];
  if (local && request.method === "POST" && collection === "events")
    return sendEvent(tenant, JSON.parse(await text(request)));
  const token = await openToken(request.headers.authorization, hostName, tenant).catch(() => undefined);
  if (!token) return [401, { error: "Send a token that the platform signed for this tenant." }];
  // What the customer agreed to. Apps that list no permissions have tokens without a scope, which this core accepts.
  const permission = { policies: "policies:read" }[collection];
  if (permission && token.scope !== undefined && !token.scope.split(" ").includes(permission))
    return [403, { error: `The app's customer has not agreed to ${permission}.` }];
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
    : [404, { error: "This policy does not exist." }];
}

async function handle(request, response) {
  const [status, body] = await answer(request).catch((error) => [400, { error: error.message }]);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
for (const host of CORE_HOSTS.split(",")) createServer(handle).listen(Number(CORE_PORT), host);
process.on("SIGTERM", () => process.exit(0));
