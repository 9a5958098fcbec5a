// Autofill: reads the VIN from the policy data and fills in the make and model year.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const MAKES = {
  WVW: "Volkswagen",
  WDB: "Mercedes-Benz",
  WBA: "BMW",
  VF1: "Renault",
  ZFA: "Fiat",
  YV1: "Volvo",
};
Object.assign(MAKES, {
  "1HG": "Honda",
  "1FT": "Ford",
  "1G1": "Chevrolet",
  "5YJ": "Tesla",
  "4T1": "Toyota",
  TMB: "Škoda",
});
const YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789";

/** Year letters repeat after 30 years. In North America, position 7 shows which cycle it is; elsewhere nothing does. */
function decodeVin(vin, region) {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(vin))
    return { problem: "A VIN has 17 letters and digits, without I, O and Q." };
  if (region === "us" && checkDigit(vin) !== vin[8]) return { problem: "The VIN's check digit is wrong." };
  const early = 1980 + YEARS.indexOf(vin[9]);
  const late = region === "us" ? /[A-Z]/.test(vin[6]) : early + 30 <= new Date().getFullYear() + 1;
  const modelYear = YEARS.includes(vin[9]) ? early + (late ? 30 : 0) : undefined;
  return { make: MAKES[vin.slice(0, 3)] ?? "unknown", modelYear };
}

/** ISO 3779, as North America uses it. */
function checkDigit(vin) {
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const worth = (sign) =>
    Number(/\d/.test(sign) ? sign : "12345678.12345.7.923456789"[sign.charCodeAt(0) - 65]);
  const rest = weights.reduce((sum, weight, at) => sum + weight * worth(vin[at]), 0) % 11;
  return rest === 10 ? "X" : String(rest);
}

const steps = (path) => path.replace(/^\$\.?/, "").split(".");
const read = (data, path) => steps(path).reduce((value, step) => value?.[step], data);
function write(data, path, value) {
  const names = steps(path);
  const last = names.pop();
  let target = data;
  for (const name of names) target = target[name] ??= {};
  target[last] = value;
}

async function readJson(url, headers) {
  const answer = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(5_000) });
  if (!answer.ok) throw new Error(`${new URL(url).pathname.split("/")[1]} returned ${answer.status}`);
  return answer.json();
}

async function autofill(key, payload) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const state = await readJson(`${base}/state/${encodeURIComponent(key)}`);
  const mapping =
    state.mappings.find((entry) => entry.productName === payload.productName) ?? state.mappings[0];
  if (!mapping?.fields.vin) return [422, { error: "No VIN field is mapped for this product." }];

  const data = structuredClone(payload.data ?? payload);
  const found = decodeVin(String(read(data, mapping.fields.vin) ?? "").toUpperCase(), state.settings.region);
  if (found.problem) return [422, { error: found.problem }];
  if (mapping.fields.make) write(data, mapping.fields.make, found.make);
  if (mapping.fields.modelYear) write(data, mapping.fields.modelYear, found.modelYear);

  const answer = { data, vehicle: found, tenant: state.tenantHostName, region: state.settings.region };
  if (state.settings.greeting) answer.greeting = state.settings.greeting;
  answer.source = state.settings.providerKey ? "your provider's account" : "built-in table";
  if (payload.policyLocator) {
    const address = `${state.coreApiUrl}/policies/${encodeURIComponent(payload.policyLocator)}`;
    const policy = await readJson(address, { authorization: `Bearer ${state.token}` });
    answer.policyHolder = policy.policyHolder.name;
  }
  return [200, answer];
}

/** Looks at answers that the customer has not saved yet. */
async function checkConfiguration(key) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const { settings } = await readJson(`${base}/state/${encodeURIComponent(key)}`);
  const issues = [];
  if ((settings.greeting ?? "").length > 60)
    issues.push({ setting: "greeting", message: "Agents see up to 60 characters. Shorten the greeting." });
  if (settings.providerKey !== undefined && !/^[\w-]{8,}$/.test(settings.providerKey))
    issues.push({
      setting: "providerKey",
      message: "A provider key has at least 8 letters, digits, hyphens and underscores. Copy it again.",
    });
  return { ok: issues.length === 0, issues };
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://app");
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method === "GET" && pathname === "/health") return reply(200, { ok: true });
  if (request.method === "GET" && pathname.startsWith("/_app/"))
    return reply(200, { done: pathname.slice(6) });
  const key = request.headers["x-platform-key"] ?? "";
  try {
    if (request.method === "POST" && pathname === "/_app/check")
      return reply(200, await checkConfiguration(key));
    if (request.method !== "POST" || pathname !== "/autofill") return reply(404, { error: "Not found." });
    return reply(...(await autofill(key, JSON.parse(await text(request)))));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));
