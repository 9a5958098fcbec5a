/**
 * For bench/cluster.ts, which runs it in a gateway's Pod: one call after another, straight to an app's Pod, through the floor
 * (bench/bare-proxy.ts) in a process of its own in the same Pod, and through the gateway. They take turns. Prints each round's times, in milliseconds.
 *
 *     node --input-type=module - <the floor's bundle in Base64> <its port> <route> <app's address> <gateway's address> <Authorization>
 */
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const [, , bundled = "", floorPort = "", routeId = "", app = "", gateway = "", authorization = ""] =
  process.argv;
const ROUNDS = 5;
const CALLS = 300;
const BODY = JSON.stringify({ operation: "newBusiness.create", data: {} });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const targets = {
  direct: `${app}/autofill`,
  floor: `http://127.0.0.1:${floorPort}/`,
  ours: `${gateway}/r/${routeId}`,
};
type Name = keyof typeof targets;

function call(name: Name): Promise<number> {
  const startedAt = performance.now();
  const headers = { authorization, "content-type": "application/json", "content-length": BODY.length };
  return new Promise((resolve, reject) => {
    const sent = request(targets[name], { agent, method: "POST", headers }, (answer) => {
      void buffer(answer).then((body) => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`${name}: ${answer.statusCode} ${body.toString()}`));
      });
    });
    sent.once("error", reject);
    sent.end(BODY);
  });
}

async function measure(name: Name): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) times.push(await call(name));
  return times;
}

const source = Buffer.from(bundled, "base64").toString();
const started = [
  "--input-type=module",
  "--eval",
  source,
  "-",
  process.env.DATABASE_URL ?? "",
  floorPort,
  routeId,
];
const floor = spawn(process.execPath, started, { stdio: "inherit" });
await sleep(2_000);
const rounds: Record<Name, number[]>[] = [];
for (let round = 0; round <= ROUNDS; round += 1)
  rounds.push({
    direct: await measure("direct"),
    floor: await measure("floor"),
    ours: await measure("ours"),
  });
// The first one warms them up.
floor.kill();
process.stdout.write(JSON.stringify(rounds.slice(1)), () => process.exit(0));
