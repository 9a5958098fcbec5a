// An app that notes each request in a file before it answers, so that what it received outlives every kill. It answers after
// `data.takesMs` milliseconds. In a container it cannot write, so it sends its notes to the address of the state API.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { dropBomb } from "./bomb-kinds.mjs";

const app = randomUUID();

createServer(async (request, response) => {
  if (request.method === "GET") return response.end("ok");
  const payload = await json(request).catch(() => undefined);
  if (payload === undefined) return response.destroy();
  const receipt = { app, at: Date.now(), webhookId: request.headers["webhook-id"], eventId: payload.id };
  if (payload.data?.bomb !== undefined) setTimeout(dropBomb, 10, payload.data.bomb);
  await note(`${JSON.stringify(receipt)}\n`);
  await sleep(payload.data?.takesMs ?? 0);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: payload.data }));
}).listen(Number(process.env.PLATFORM_PORT), process.env.HOST, () => process.send?.("ready"));

// A scenario that is killed leaves no app behind.
process.once("disconnect", () => process.exit());

async function note(line) {
  try {
    appendFileSync("journal.jsonl", line);
  } catch {
    await fetch(`${process.env.PLATFORM_STATE_API}/journal`, { method: "POST", body: line });
  }
}
