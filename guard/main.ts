/**
 * The egress guard: the only way out of apps' networks. It runs in a container of its own, has no packages, and has no rules until it was
 * told some: nothing passes then. On an engine, workers speak to it through its standard input; in a cluster, where it gets a key, through
 * its control port.
 */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { GuardOrder, GuardReport } from "@/lib/contract/runtime/egress";
import { serveQuestions } from "./ask-port";
import { serveControl } from "./control";
import { createOwnListeners } from "./own-listeners";
import { createRules, type Rules, type Source } from "./rules";
import { createSharedListeners } from "./shared-listeners";
import { createStateAddresses } from "./state-addresses";

const REPORT_MS = 1_000;
/** In one line. */
const COUNTS_AT_ONCE = 500;
const REFRESH_MS = 10_000;
/** In which apps that know this guard's address find another, and calls end. */
const DRAIN_MS = 20_000;
const SHORTEST_KEY = 32;

const { PLATFORM_EGRESS_KEY: key, POD_IP, HOST_IP, KUBERNETES_SERVICE_HOST } = process.env;

if (key === undefined) serveEngine();
else if (key.length < SHORTEST_KEY || POD_IP === undefined) {
  log("PLATFORM_EGRESS_KEY needs at least 32 characters, and POD_IP the address of this Pod");
  process.exit(1);
} else await serveCluster(key, POD_IP);

function serveEngine(): void {
  process.on("SIGTERM", () => process.exit(0));
  const rules = createRules(createOwnListeners());
  const source: Source = {};
  const orders = createInterface({ input: process.stdin });
  orders.on("line", (line) => {
    const order: GuardOrder = JSON.parse(line);
    void rules
      .follow(order, source)
      .then((failed) => print({ applied: order.sequence, from: order.from, failed }));
  });
  // Nobody could tell it anything anymore. The engine starts it again.
  orders.once("close", () => process.exit(1));
  reportCounts(rules, print);

  function print(what: GuardReport): void {
    process.stdout.write(`${JSON.stringify(what)}\n`);
  }
}

async function serveCluster(key: string, address: string): Promise<void> {
  const stateAddresses = createStateAddresses();
  const listening = createSharedListeners(address, stateAddresses);
  const never = [address, HOST_IP ?? "", KUBERNETES_SERVICE_HOST ?? "", "127.0.0.0/8"];
  const rules = createRules(listening, { never });
  const control = await serveControl({ address, key, rules, isApp: listening.isApp, log });
  let isEnding = false;
  await serveQuestions({
    address,
    isReady: () => rules.isTold() && !isEnding,
    knows: listening.knows,
  });
  const report = reportCounts(rules, control.report);
  setInterval(() => void stateAddresses.refresh(), REFRESH_MS);
  process.on("SIGTERM", () => {
    if (isEnding) return;
    isEnding = true;
    log("ending: new connections find another guard");
    setTimeout(() => {
      report();
      // What was just written is sent first.
      setTimeout(() => process.exit(0), 500);
    }, DRAIN_MS);
  });
  log("the egress guard waits for the workers");
}

/** What nobody heard is reported again when a worker connects. */
function reportCounts({ counters }: Rules, report: (what: GuardReport) => void): () => void {
  const boot = randomUUID();
  const tell = () => {
    const changed = counters.takeChanged();
    for (let at = 0; at < changed.length; at += COUNTS_AT_ONCE)
      report({ boot, counts: changed.slice(at, at + COUNTS_AT_ONCE) });
  };
  setInterval(tell, REPORT_MS);
  return tell;
}

function log(msg: string, more: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ level: 30, time: Date.now(), part: "guard", ...more, msg })}\n`);
}
