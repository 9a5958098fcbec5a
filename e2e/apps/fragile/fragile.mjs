// Ends with its customer's secret and the state key in the error's message, as careless apps do.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

createServer(async (request, response) => {
  if (request.method === "GET") return response.end("ok");
  const payload = await json(request);
  const key = request.headers["x-platform-key"];
  const state = await fetch(`${process.env.PLATFORM_STATE_API}/state/${key}`).then((answer) => answer.json());
  if (payload.data?.crash)
    throw new Error(`cannot sign in as ${state.settings.account} (key ${key}, token ${state.token})`);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: payload.data }));
}).listen(process.env.PLATFORM_PORT);
