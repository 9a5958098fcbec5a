// Every way in which an app fails. Its argument says how it starts; `data.answer` of a call says how it answers: answers.mjs.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { ANSWERS } from "./answers.mjs";

const port = Number(process.env.PLATFORM_PORT);
const healthy = (response) => void response.writeHead(200).end("ok");

const BEHAVIORS = {
  serves: () => serve(healthy),
  "keeps-apart": () => serve(healthy, { answer: "state" }),
  "mixes-customers": () => serve(healthy, { answer: "first-state" }),
  "logs-secret": () => serve(healthy, { answer: "logged-state" }),
  "never-healthy": () => serve((response) => void response.writeHead(503).end("still warming up")),
  "health-204": () => serve((response) => void response.writeHead(204).end()),
  "health-301": () => serve((response) => void response.writeHead(301, { location: "/healthz" }).end()),
  "health-hangs": () => serve(() => undefined),
  "crash-loop": () => {
    console.error("cannot read /config/rates.json");
    process.exit(7);
  },
  "memory-hog": () => {
    const kept = [];
    setInterval(() => kept.push(Buffer.alloc(64 * 1024 * 1024, 1)), 10);
  },
  "crashes-later": () => {
    serve(healthy);
    setTimeout(() => process.exit(9), 2_000);
  },
  "wrong-port": () => serve(healthy, { on: 3000 }),
  "loopback-only": () => serve(healthy, { host: "127.0.0.1" }),
  "ipv6-only": () => serve(healthy, { host: "::", ipv6Only: true }),
  "no-listener": () => {
    console.log("loading model 3 of 5");
    setInterval(() => undefined, 60_000);
  },
  "ignores-sigterm": () => {
    process.on("SIGTERM", () => console.log("no"));
    serve(healthy);
  },
  "log-flood": () => {
    const flood = () => process.stdout.write(`${"flood ".repeat(10_000)}\n`, () => setTimeout(flood, 1));
    flood();
    serve(healthy);
  },
};

/** @param answer how it answers calls that ask for nothing else */
function serve(health, { host = "0.0.0.0", on = port, answer, ipv6Only = false } = {}) {
  createServer(async (request, response) => {
    if (request.url === "/health") return health(response);
    if (request.url.startsWith("/_app/")) return healthy(response);
    const payload = await json(request);
    await ANSWERS[payload.data.answer ?? answer](response, request);
  }).listen({ port: on, host, ipv6Only });
}

// As the first process of a container, it gets no default handling of signals.
if (process.argv[2] !== "ignores-sigterm") process.on("SIGTERM", () => process.exit(0));
BEHAVIORS[process.argv[2]]();
