/**
 * Four organizations send ten times as many calls as the gateway can answer: it keeps answering most of what it could,
 * fast enough for a core that waits, tells the others when to try again, cuts off no connection, and recovers
 * afterward.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createAutofill } from "./core";
import { expectKept, figure, type ChaosOptions } from "./scenario";
import { countFailed, countOk, percentile, sendLoad, type LoadReport, type LoadRequest } from "./send-load";
import { chooseGatewayUrl, World } from "./world";

const FACTOR = 10;
const ADMITTED_MS = 2_000;
const LEAST_GOODPUT = 0.7;
const NORMAL_WITHIN_MS = 10_000;
/** As many as a caller may open, so that there is one for nearly every request that is due. */
const CONNECTIONS = 2_000;

/** Durations and rates are promised for a machine that does nothing else, so only the full form insists on them. */
export async function run({ full }: ChaosOptions): Promise<void> {
  const seconds = full ? 60 : 5;
  await using world = await World.create();
  const origin = await world.startApp();
  const customers = [];
  for (const slug of ["harbor", "alpine", "summit", "prairie"])
    customers.push(await world.addCustomer(slug, origin));
  const url = await chooseGatewayUrl();
  const gateway = await world.start("gateway", url);
  const requests = customers.map(({ autofillRouteId, core }) => ({
    method: "POST",
    path: `/r/${autofillRouteId}`,
    authorization: core,
    body: createAutofill(0),
  }));

  const peak = await measurePeak(url, requests, full ? 10 : 3);
  const calm = await sendCalmly(url, requests);
  const perSecond = FACTOR * peak;
  const overload = await sendLoad({ url, requests, connections: CONNECTIONS, perSecond, seconds });
  const endedAt = Date.now();
  gateway.expectAlive();
  const goodput = countOk(overload) / seconds;
  const admittedMs = percentile(overload.latenciesMs, 0.99);
  const backAfterMs = await untilNormal(url, requests, percentile(calm.latenciesMs, 0.99), endedAt);

  figure("overload_peak", peak, "calls/s");
  figure("overload_offered_over_peak", (overload.sent + overload.skipped) / seconds / peak, "ratio");
  figure("overload_sent_over_peak", overload.sent / seconds / peak, "ratio");
  figure("overload_goodput_over_peak", goodput / peak, "ratio");
  figure("overload_admitted_p99", admittedMs, "ms");
  figure("overload_resets", overload.resets + overload.unanswered, "connections");
  figure("overload_without_retry_after", overload.withoutRetryAfter, "answers");
  figure("overload_generator_core_use", overload.coreUse, "cores");
  figure("overload_normal_after", backAfterMs / 1_000, "s");

  const { resets, unanswered, withoutRetryAfter, statuses } = overload;
  expectKept(resets + unanswered === 0, `${resets} connections were cut off, ${unanswered} got no answer.`);
  expectKept(withoutRetryAfter === 0, `${withoutRetryAfter} refusals did not say when to try again.`);
  const others = Object.keys(statuses).filter((status) => !["200", "429", "503"].includes(status));
  expectKept(others.length === 0, `Some answers had other statuses: ${JSON.stringify(statuses)}`);
  expectKept(backAfterMs <= NORMAL_WITHIN_MS, "The gateway was not itself again 10 s after the load ended.");
  if (!full) return;
  expectKept(
    goodput >= LEAST_GOODPUT * peak,
    `Its goodput was ${Math.round((100 * goodput) / peak)}% of its peak.`,
  );
  expectKept(admittedMs <= ADMITTED_MS, `Calls that were answered took up to ${Math.round(admittedMs)} ms.`);
}

/** With enough requests at once to keep the gateway busy: each connection sends again as soon as it has its answer. */
async function measurePeak(url: string, requests: LoadRequest[], seconds: number): Promise<number> {
  const closed = { url, requests, connections: 16, perSecond: 100_000 };
  await sendLoad({ ...closed, seconds: 2 });
  return countOk(await sendLoad({ ...closed, seconds })) / seconds;
}

function sendCalmly(url: string, requests: LoadRequest[]): Promise<LoadReport> {
  return sendLoad({ url, requests, connections: 50, perSecond: 50, seconds: 2 });
}

/** When everything is answered again, about as fast as before. */
async function untilNormal(
  url: string,
  requests: LoadRequest[],
  calmMs: number,
  endedAt: number,
): Promise<number> {
  for (;;) {
    const startedAt = Date.now();
    const again = await sendCalmly(url, requests);
    const isNormal = countFailed(again) === 0 && percentile(again.latenciesMs, 0.99) <= 2 * calmMs + 50;
    if (isNormal || startedAt - endedAt > NORMAL_WITHIN_MS) return startedAt - endedAt;
    await sleep(100);
  }
}
