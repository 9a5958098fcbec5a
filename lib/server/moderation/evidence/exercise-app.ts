/** Everything that two customers do with an app: hooks, each alone, both at once, and again after a restart. */
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import * as z from "zod";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import { samplePayload } from "@/lib/domain/installations/sample-payload";
import type { CallSeen, Round } from "@/lib/domain/moderation/judge-running";
import { planCalls, type PlannedCall } from "@/lib/domain/moderation/plan-evidence";
import { routeUrl } from "../../calls/call-route";
import { type AppCall, openCall, sendCall } from "../../calls/call-steps";
import { signWebhook } from "../../calls/deliveries/sign-webhook";
import { SANDBOX_CONTENT } from "../../installations/tenants/connect-sandbox";
import type { Platform } from "../../platform/platform";
import type { Customer } from "./customers";
import { countStateReads } from "./queries";

export interface Exercise {
  sent: SentSample[];
  /** The same with their reads of the state. */
  calls: CallSeen[];
  planned: readonly PlannedCall[];
  /** Declared routes that got no call. */
  skipped: string[];
  /** The first customer's keys read the state while only the second was served. */
  staleReads: boolean;
  hooksMs: number;
  callsMs: number;
}

/** Gateways note reads of the state every 100 ms. */
const READS_MS = 350;

/** Throws the reason of `lost` once it is aborted. */
export async function exerciseApp(
  platform: Platform,
  target: Target,
  withinMs: number,
  lost: AbortSignal,
): Promise<Exercise> {
  const { calls: planned, skipped } = planCalls(target.manifest);
  const sent: SentSample[] = [];
  const left: string[] = [];
  const beganMs = performance.now();
  const send = async (customer: number, round: Round, call: PlannedCall) => {
    lost.throwIfAborted();
    // An app whose calls hang gets no more time.
    if (performance.now() - beganMs > withinMs) left.push(call.what);
    else sent.push(await sendSample(platform, target, customer, round, call));
  };
  const readsOf = async (customer: number) => {
    await sleep(READS_MS);
    const ids = sent.filter((call) => call.customer === customer).map(({ attemptId }) => attemptId);
    const counts = await countStateReads(platform.db, ids);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  };

  for (const hook of ["install", "start"] as const)
    if (target.manifest.core?.lifecycle?.includes(hook) === true)
      for (const index of target.customers.keys()) sent.push(await sendHook(platform, target, index, hook));
  const hooksMs = performance.now() - beganMs;

  for (const call of planned) await send(0, 1, call);
  const before = await readsOf(0);
  for (const call of planned) await send(1, 2, call);
  const after = await readsOf(0);
  for (const call of planned) await Promise.all([send(0, 3, call), send(1, 3, call)]);
  const callsMs = performance.now() - beganMs - hooksMs;

  for (const hook of ["stop", "uninstall"] as const)
    if (target.manifest.core?.lifecycle?.includes(hook) === true)
      for (const index of target.customers.keys()) sent.push(await sendHook(platform, target, index, hook));
  await sleep(READS_MS);
  const reads = await countStateReads(
    platform.db,
    sent.map(({ attemptId }) => attemptId),
  );
  const calls = sent.map((call) => ({ ...call, reads: reads.get(call.attemptId) ?? 0 }));
  const staleReads = after > before;
  return { sent, calls, planned, skipped: [...skipped, ...left], staleReads, hooksMs, callsMs };
}

/** Why calls fail now that succeeded before. One call of each customer. Its calls are added to what was sent. */
export async function callAfterRestart(
  platform: Platform,
  target: Target,
  { sent, planned }: Exercise,
): Promise<string[]> {
  const succeeded = (index: number) =>
    planned.find(({ what }) => {
      const calls = sent.filter((call) => call.customer === index && call.what === what);
      return calls.length > 0 && calls.every(({ failure }) => failure === null);
    });
  const failures: string[] = [];
  for (const index of target.customers.keys()) {
    const call = succeeded(index);
    if (call === undefined) continue;
    const again = await sendSample(platform, target, index, 4, call);
    sent.push(again);
    if (again.failure !== null) failures.push(`${again.what}: ${again.failure}`);
  }
  return failures;
}

// Sends sample calls as production does: the same steps, keys, limits and rules. They are recorded nowhere.

/** A call whose reads of the state are not counted yet. */
export interface SentSample extends Omit<CallSeen, "reads"> {
  attemptId: string;
}

interface Target {
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

async function sendSample(
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

async function sendHook(
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
  const finished = await sendCall(platform, openCall(platform, call));
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
