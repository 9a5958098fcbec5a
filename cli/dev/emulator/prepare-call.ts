/** What the app receives for a call, as the platform would send it. Sends nothing. */
import { createHmac, randomUUID } from "node:crypto";
import { CHECK_DEADLINE_MS } from "@/lib/contract/catalog/configuration";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { isShallow, JSON_DEPTH, parsePayload, Problem } from "@/lib/contract/platform/problem";
import { readOperation, requireEvent, requireOperation } from "@/lib/domain/calls/events";
import { allowsMethod, coversPath, isPlainPath } from "@/lib/domain/catalog/manifest/endpoint";
import { listNames, samplePayload } from "@/lib/domain/installations/sample-payload";
import { editText } from "@/lib/domain/platform/json-text/edit-text";
import { getMember, isRecord } from "@/lib/domain/platform/json-text/json-value";
import type { DevRoute } from "../contract/app";
import { type LocalCustomer, productsOf } from "./customer-store";

export interface PreparedCall {
  route: string;
  kind: RouteKind;
  name: string | null;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  deadlineMs: number;
  /** How long its state key is good for. */
  keyMs: number;
}

interface CallTarget {
  route: DevRoute;
  customer: LocalCustomer;
  manifest: Manifest;
  /** Of the emulator. */
  url: string;
}

interface WantedCall {
  name?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  /** JSON, sent as it was written; of an endpoint, any text. */
  text?: string | undefined;
}

const DEADLINES: Record<RouteKind, number> = {
  webhook: 30_000,
  autofill: 10_000,
  rater: 10_000,
  lifecycle: 60_000,
  endpoint: 10_000,
};
/** The work of webhooks and lifecycle hooks may continue after their answer. */
const LONG_KEY_MS = 15 * 60_000;
const KEY_SLACK_MS = 60_000;
const PAYLOAD_BYTES = 1024 * 1024;

/** Throws BAD_INPUT, OPERATION_NOT_DECLARED and TOO_LARGE. */
export function prepareCall(
  { route, customer, manifest, url }: CallTarget,
  wanted: WantedCall = {},
): PreparedCall {
  const { kind } = route;
  const deadlineMs = DEADLINES[kind];
  const isLong = kind === "webhook" || kind === "lifecycle";
  const base = {
    route: route.route,
    kind,
    deadlineMs,
    path: route.path,
    keyMs: isLong ? LONG_KEY_MS : deadlineMs + KEY_SLACK_MS,
  };
  if (kind === "lifecycle") {
    const path = `${route.path}?route=${encodeURIComponent(url + routeBase(customer))}`;
    return { ...base, name: route.title, method: "GET", path, headers: {}, body: undefined };
  }
  const name = wanted.name ?? route.names[0];
  const given = wanted.text ?? createSample(route, customer, manifest, name);
  if (kind === "endpoint") return prepareEndpoint(route, base, wanted, given);
  const body = kind === "webhook" ? completeEvent(route.patterns, given) : given;
  const payload = readPayload(body);
  if (kind === "autofill") requireOperation(route.patterns, payload);
  if (Buffer.byteLength(body) > PAYLOAD_BYTES)
    throw new Problem("TOO_LARGE", "The payload is larger than 1 MiB of JSON. Send less data.");
  const headers = { "content-type": "application/json", ...(kind === "webhook" ? sign(customer, body) : {}) };
  const sent = kind === "webhook" ? getMember(payload, "type") : readOperation(payload);
  return { ...base, name: typeof sent === "string" ? sent : null, method: "POST", headers, body };
}

/** The call that checks answers before they are saved. */
export function prepareCheck(): PreparedCall {
  return {
    route: "check:/_app/check",
    kind: "lifecycle",
    name: "check",
    method: "POST",
    path: "/_app/check",
    headers: {},
    body: undefined,
    deadlineMs: CHECK_DEADLINE_MS,
    keyMs: CHECK_DEADLINE_MS + 5_000,
  };
}

/** The path below which the emulator serves the app's endpoints for a customer. */
export function routeBase({ id }: LocalCustomer): string {
  return `/r/${id}`;
}

function prepareEndpoint(
  { path: declared, methods }: DevRoute,
  base: Omit<PreparedCall, "name" | "method" | "headers" | "body">,
  { method = methods[0] ?? "GET", path = declared.replace(/\*$/, "sample") }: WantedCall,
  text: string,
): PreparedCall {
  const [bare = ""] = path.split("?", 1);
  if (!allowsMethod(methods, method))
    throw new Problem("BAD_INPUT", `This endpoint accepts only ${methods.join(", ")}.`);
  if (!isPlainPath(bare) || !coversPath(declared, bare))
    throw new Problem("BAD_INPUT", `"${bare}" is not a path of the endpoint ${declared}.`);
  const sendsBody = method !== "GET" && method !== "HEAD" && method !== "DELETE";
  const headers: Record<string, string> = sendsBody ? { "content-type": "application/json" } : {};
  return {
    ...base,
    name: null,
    method,
    path,
    headers,
    body: sendsBody ? text : undefined,
  };
}

/** Throws BAD_INPUT. */
function readPayload(text: string): unknown {
  const payload = parsePayload(text);
  if (payload === undefined) throw new Problem("BAD_INPUT", "The payload is not valid JSON.");
  if (isShallow(payload)) return payload;
  throw new Problem(
    "BAD_INPUT",
    `The payload is nested more than ${JSON_DEPTH} levels deep. Send flatter JSON.`,
  );
}

/** The text of an event that a person sends, with what the platform adds. Everything else stays as it was written. */
function completeEvent(declared: readonly string[], text: string): string {
  const payload = readPayload(text);
  const type = getMember(payload, "type");
  if (!isRecord(payload) || typeof type !== "string" || payload.data === undefined)
    throw new Problem(
      "BAD_INPUT",
      'The payload is not an event. Send {"type": "policy.issued", "data": {…}}, with a dotted type and any data.',
    );
  requireEvent(declared, type);
  const id = `dev-${randomUUID()}`;
  const filledIn = { timestamp: new Date().toISOString(), transactionId: id, username: "you" };
  const missing = Object.entries(filledIn).filter(([member]) => !Object.hasOwn(payload, member));
  return editText(text, { type: "assign", path: [], members: { ...Object.fromEntries(missing), id } });
}

/** As Standard Webhooks asks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`. */
function sign({ webhookSecret }: LocalCustomer, body: string): Record<string, string> {
  const [id, timestamp] = [randomUUID(), Math.floor(Date.now() / 1000).toString()];
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

/**
 * A payload to start from, made of the customer's own products, as JSON text. Without a name, it is of the first event or operation;
 * without a product, of the customer's first one.
 */
export function createSample(
  { kind, patterns }: DevRoute,
  { productSet, mappings }: LocalCustomer,
  manifest: Manifest,
  name = listNames({ kind, patterns })[0],
  productName?: string,
): string {
  const products = productsOf(productSet);
  const found = products.find((product) => product.name === productName) ?? products[0];
  const product =
    found === undefined ? undefined : { name: found.name, data: toJson(found.sample), given: true };
  const mappingFields = (manifest.core?.fields ?? []).map(({ name: field, title, required = false }) => ({
    name: field,
    title,
    required,
  }));
  return samplePayload({ route: { kind, patterns }, name, product }, { mappings, mappingFields });
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** Everything in an app that can be called. */
export function listRoutes(manifest: Manifest): DevRoute[] {
  const {
    webhooks = [],
    autofill = [],
    externalRaters = [],
    endpoints = [],
    lifecycle = [],
  } = manifest.core ?? {};
  const withNames = (kind: "webhook" | "autofill", path: string, patterns: string[]): DevRoute => ({
    route: `${kind}:${path}`,
    kind,
    path,
    title: path,
    patterns,
    names: listNames({ kind, patterns }),
    methods: ["POST"],
  });
  const plain = { patterns: [], names: [] };
  return [
    ...webhooks.map(({ path, events }) => withNames("webhook", path, events)),
    ...autofill.map(({ path, operations }) => withNames("autofill", path, operations)),
    ...externalRaters.map(({ path, name }): DevRoute => {
      const kind = "rater";
      return { ...plain, route: `${kind}:${path}`, kind, path, title: name, methods: ["POST"] };
    }),
    ...endpoints.map(({ path, methods, title }): DevRoute => {
      const kind = "endpoint";
      return { ...plain, route: `${kind}:${path}`, kind, path, title, methods };
    }),
    ...lifecycle.map((event): DevRoute => {
      const [kind, path] = ["lifecycle", `/_app/${event}`] as const;
      return { ...plain, route: `${kind}:${path}`, kind, path, title: event, methods: ["GET"] };
    }),
  ];
}

/** Throws NOT_FOUND with the routes that are declared. */
export function findRoute(manifest: Manifest, wanted: string): DevRoute {
  const routes = listRoutes(manifest);
  const found = routes.find(({ route }) => route === wanted);
  if (found !== undefined) return found;
  const known = routes.map(({ route }) => route).join(", ") || "none";
  throw new Problem("NOT_FOUND", `The manifest doesn't declare the route "${wanted}". Declared: ${known}.`);
}
