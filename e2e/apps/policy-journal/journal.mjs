// Reacts to events only, and expects its core's events: epoch milliseconds, and members that only this core knows.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

createServer(async (request, response) => {
  if (request.method === "GET") return response.end("ok");
  const event = await json(request);
  if (typeof event.timestamp !== "number") return response.writeHead(422).end("timestamp is not a number");
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ at: new Date(event.timestamp).toISOString(), event }));
}).listen(process.env.PLATFORM_PORT);
