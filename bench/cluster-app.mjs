// The app of bench/cluster.ts: answers calls and events, and tries which of the places in targets.json it reaches, as soon as it starts
// and when a call asks for it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const FRESH_MS = 3_000;
const TIMEOUT_MS = 700;
const startedAt = performance.now();
const places = JSON.parse(readFileSync("/targets.json", "utf8"));

const tryPlace = ({ host, port }) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (isOpen) => () => (socket.destroy(), resolve(isOpen));
    socket.once("connect", end(true)).once("timeout", end(false)).once("error", end(false));
  });

/** Names of open places, with when each was last seen open, in milliseconds since the start. */
const fresh = {};
let isFresh = true;
async function tryFresh(place) {
  while (performance.now() - startedAt < FRESH_MS) {
    const at = Math.round(performance.now() - startedAt);
    if (await tryPlace(place)) fresh[place.name] = at;
    await sleep(50);
  }
}
void Promise.all(places.map(tryFresh)).then(() => (isFresh = false));

const server = createServer(async (request, response) => {
  if (request.method === "GET") return response.end("ok");
  const body = await json(request).catch(() => ({}));
  let data = {};
  if (body.data?.probe) {
    while (isFresh) await sleep(50);
    const open = await Promise.all(
      places.map(async (place) => ((await tryPlace(place)) ? [place.name] : [])),
    );
    data = { fresh: JSON.stringify(fresh), open: JSON.stringify(open.flat()), tried: String(places.length) };
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data }));
});
server.listen(Number(process.env.PLATFORM_PORT));
// As most apps: it doesn't wait for its calls.
process.on("SIGTERM", () => process.exit(0));
