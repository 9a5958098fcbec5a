// Handles the platform's requests. Nothing is kept between requests: each has the key to its own customer's state.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { autofill } from "./autofill.mjs";
import { readState } from "./read-state.mjs";
import { isSigned, readWebhookSecrets } from "./verify-webhook.mjs";

const routes = {
  "GET /health": async () => ({ ok: true }),

  "POST /autofill": async ({ key, body }) => autofill(parse(body), await readState(key)),

  "POST /events": async ({ key, headers, body }) => {
    if (!isSigned(headers, body, await readWebhookSecrets(key)))
      throw new Refusal(401, "The signature is not valid.");
    const event = parse(body);
    const { tenantHostName } = await readState(key);
    console.log(`${event.type} (${event.id}) of ${tenantHostName}`);
    return { received: event.id };
  },
};

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://app");
  const send = (status, result) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(result));
  const route = routes[`${request.method} ${pathname}`];
  if (route === undefined) return send(404, { error: "Not found." });
  try {
    const { headers } = request;
    const key = headers["x-platform-key"] ?? "";
    send(200, await route({ key, headers, body: await buffer(request) }));
  } catch (error) {
    if (error.status === undefined) console.error(error);
    send(error.status ?? 502, { error: error.message });
  }
}

const server = createServer(answer).listen(Number(process.env.PLATFORM_PORT ?? 8080));

// Finish the calls in progress before the app stops.
process.on("SIGTERM", () => server.close());
