/** Sends sample calls as production does: the same steps, keys, limits and rules. They are recorded nowhere. */
import { v7 } from "uuid";
import * as z from "zod";
import type { Manifest } from "@/lib/contract/manifest";
import type { LifecycleEvent } from "@/lib/contract/manifest-terms";
import type { CallSeen, Round } from "@/lib/domain/evidence/judge-calls";
import type { PlannedCall } from "@/lib/domain/evidence/plan-calls";
import { samplePayload } from "@/lib/domain/sample-payload";
import { openCall, sendCall, type AppCall } from "../calls/call-steps";
import { routeUrl } from "../calls/route-url";
import { signWebhook } from "../deliveries/sign-webhook";
import type { Platform } from "../platform/platform";
import { SANDBOX_CONTENT } from "../tenants/sandbox-core";
import type { Customer } from "./customers";

/** A call whose reads of the state are not counted yet. */
export interface SentSample extends Omit<CallSeen, "reads"> {
  attemptId: string;
}

export interface Target {
  origin: string;
  manifest: Manifest;
  customers: readonly Customer[];
}

const DEADLINES_MS = {
  webhook: 30_000,
  autofill: 10_000,
  rater: 10_000,
  endpoint: 30_000,
  lifecycle: 60_000,
};

export async function sendSample(
  platform: Platform,
  { origin, manifest, customers }: Target,
  index: number,
  round: Round,
  planned: PlannedCall,
): Promise<SentSample> {
  const customer = requireCustomer(customers, index);
  const { kind, path, method, name } = planned;
  const declared = kind === "endpoint" ? findDeclared(manifest, path) : path;
  const call: Omit<AppCall, "routeId"> = {
    installationId: customer.installationId,
    ...KEY,
    kind,
    eventType: name,
    replicas: [{ id: null, origin }],
    method,
    path,
    body: method === "GET" ? undefined : createBody(planned, customer, manifest),
    deadlineMs: DEADLINES_MS[kind],
  };
  const headers =
    kind === "webhook" && call.body !== undefined
      ? await signWebhook(platform, {
          installationId: customer.installationId,
          eventId: readId(call.body),
          body: call.body,
        })
      : undefined;
  const routeId = findRouteId(customer, kind, declared);
  return send(platform, { ...call, routeId, headers }, { customer: index, round, what: planned.what });
}

export async function sendHook(
  platform: Platform,
  { origin, customers }: Target,
  index: number,
  hook: LifecycleEvent,
): Promise<SentSample> {
  const customer = requireCustomer(customers, index);
  const routeBase = encodeURIComponent(routeUrl(platform.environment, customer.routeBase));
  const call: AppCall = {
    installationId: customer.installationId,
    routeId: findRouteId(customer, "lifecycle", "/_app"),
    ...KEY,
    kind: "lifecycle",
    hook,
    replicas: [{ id: null, origin }],
    method: "GET",
    path: `/_app/${hook}?route=${routeBase}`,
    deadlineMs: DEADLINES_MS.lifecycle,
  };
  return send(platform, call, { customer: index, round: 1, what: `GET /_app/${hook}` });
}

/** Of an installation that nobody reconfigures or stops. */
const KEY = { revision: 1, epoch: 0, recorded: false } as const;

async function send(
  platform: Platform,
  call: AppCall,
  about: Pick<SentSample, "customer" | "round" | "what">,
): Promise<SentSample> {
  const finished = await sendCall(openCall(platform, call));
  const { attemptId, status, failure, fault, answer, durationMs } = finished;
  return { ...about, kind: call.kind, attemptId, status, failure, fault, answer, durationMs };
}

function requireCustomer(customers: readonly Customer[], index: number): Customer {
  const customer = customers[index];
  if (customer === undefined) throw new Error(`there is no customer ${index}`);
  return customer;
}

function findRouteId({ routes }: Customer, kind: string, path: string): string {
  const route = routes.find((each) => each.kind === kind && each.path === path);
  if (route === undefined) throw new Error(`there is no ${kind} route at ${path}`);
  return route.id;
}

/** `/callbacks/*`, for its sample `/callbacks/sample`. */
function findDeclared({ core }: Manifest, path: string): string {
  const declared = core?.endpoints?.find((each) => each.path.replace(/\*$/, "sample") === path);
  return declared?.path ?? path;
}

/** Like the console's samples, with values that identify the customer. */
function createBody({ kind, name }: PlannedCall, customer: Customer, manifest: Manifest): string {
  const [product] = SANDBOX_CONTENT.products;
  const choice = {
    route: { kind, patterns: [] },
    name,
    product: product && { name: product.name, data: z.json().parse(product.sample), given: true },
  };
  const mappingFields = (manifest.core?.fields ?? []).map(({ name: field, title, required = false }) => ({
    name: field,
    title,
    required,
  }));
  const sample: object = JSON.parse(samplePayload(choice, { mappings: customer.mappings, mappingFields }));
  if (kind !== "webhook") return JSON.stringify(sample);
  const id = `check-${v7()}`;
  return JSON.stringify({
    id,
    timestamp: new Date().toISOString(),
    transactionId: `${customer.marker}-${id}`,
    username: customer.marker,
    ...sample,
  });
}

function readId(event: string): string {
  const { id }: { id?: unknown } = JSON.parse(event);
  return String(id);
}
