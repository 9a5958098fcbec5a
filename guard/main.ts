/**
 * The egress guard: the only way out of apps' networks. It runs in a container of its own, has no packages, listens to the worker through
 * its standard input, and has no rules until it was told some: nothing passes then.
 */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import ipaddr from "ipaddr.js";
import type { GuardOrder, GuardReport } from "@/lib/contract/runtime/egress";
import { AppGuard, type Surroundings } from "./app-guard";
import { Counters } from "./counters";
import { createResolver } from "./resolve-name";

const REPORT_MS = 1_000;
/** In one line. */
const COUNTS_AT_ONCE = 500;

const boot = randomUUID();
const shared: Surroundings = {
  counters: new Counters(),
  names: createResolver(),
  closed: { own: new Set(), never: [] },
};
const apps = new Map<string, AppGuard>();

process.on("SIGTERM", () => process.exit(0));

let last = Promise.resolve();
const orders = createInterface({ input: process.stdin });
orders.on("line", (line) => {
  const order: GuardOrder = JSON.parse(line);
  last = last.then(() => follow(order));
});
// Nobody could tell it anything anymore. The engine starts it again.
orders.once("close", () => process.exit(1));

setInterval(() => {
  const changed = shared.counters.takeChanged();
  for (let at = 0; at < changed.length; at += COUNTS_AT_ONCE)
    report({ boot, counts: changed.slice(at, at + COUNTS_AT_ONCE) });
}, REPORT_MS);

let known = "";

async function follow(order: GuardOrder): Promise<void> {
  // Nobody may have read what was reported before this worker connected.
  if (order.from !== known) shared.counters.reportAll();
  known = order.from;
  shared.closed = {
    own: new Set(order.own),
    never: order.never.map((cidr) => ipaddr.IPv4.parseCIDR(cidr)),
  };
  const wanted = new Set(order.policies.map(({ id }) => id));
  for (const [id, app] of apps)
    if (!wanted.has(id)) {
      app.close();
      apps.delete(id);
      shared.counters.forget(id);
    }
  const failed = [];
  for (const policy of order.policies) {
    const app = apps.get(policy.id) ?? new AppGuard(policy, shared);
    apps.set(policy.id, app);
    try {
      await app.apply(policy, order.callAddress);
    } catch (error) {
      failed.push({ id: policy.id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  report({ applied: order.sequence, from: order.from, failed });
}

function report(what: GuardReport): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
