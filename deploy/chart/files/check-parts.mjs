// Of `helm test`: each part is ready, through its Service.
import { setTimeout as sleep } from "node:timers/promises";

/** Parts may still be starting, and some networks let a new Pod reach others only after a moment. */
const WITHIN_MS = 60_000;
const giveUpAt = Date.now() + WITHIN_MS;

const ask = (url) =>
  fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error) => `no answer: ${error.cause?.code ?? error.message}`,
  );

async function check(part) {
  const url = `http://${part}/ready`;
  for (;;) {
    const answer = await ask(url);
    const isReady = answer.startsWith("200 ");
    if (isReady || Date.now() > giveUpAt) {
      console.log(`${isReady ? "ready" : "NOT READY"}: ${url}: ${answer}`);
      return isReady;
    }
    await sleep(1_000);
  }
}

const ready = await Promise.all(process.argv.slice(1).map(check));
process.exitCode = ready.every(Boolean) ? 0 : 1;
