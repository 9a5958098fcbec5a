// Of `helm test`, in the namespace of apps with what an app may reach: the state API answers, and nothing else of the platform does.
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [stateApi, ...closed] = process.argv.slice(1);
// Some networks enforce the rules of a new Pod only now.
await sleep(3_000);
const giveUpAt = Date.now() + 60_000;
const ask = async (path, expected) => {
  for (;;) {
    const seen = await askOnce(path);
    if (seen === expected || Date.now() > giveUpAt) return seen;
    await sleep(1_000);
  }
};
const askOnce = (path) =>
  fetch(`${stateApi}${path}`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    (error) => `no answer: ${error.cause?.code ?? error.message}`,
  );
const reach = (place) =>
  new Promise((resolve) => {
    const at = place.lastIndexOf(":");
    const socket = connect({ host: place.slice(0, at), port: Number(place.slice(at + 1)), timeout: 3_000 });
    const end = (result) => () => (socket.destroy(), resolve(result));
    socket.once("connect", end("open")).once("timeout", end("closed")).once("error", end("closed"));
  });
const results = [
  ["the state API is ready", await ask("/ready", 200), 200],
  // A key that opens nothing: the state API itself refuses it.
  ["the state API refuses an unknown key", await ask(`/state/psk_${"A".repeat(86)}`, 404), 404],
  ["the state API serves no other route", await ask("/.well-known/jwks.json", 404), 404],
];
for (const place of closed) results.push([`${place} is closed`, await reach(place), "closed"]);
for (const [what, seen, expected] of results)
  console.log(`${seen === expected ? "as expected" : "NOT AS EXPECTED"}: ${what}: ${seen}`);
process.exitCode = results.every(([, seen, expected]) => seen === expected) ? 0 : 1;
