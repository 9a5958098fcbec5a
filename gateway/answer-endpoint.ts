import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Problem } from "@/lib/contract/problem";
import type { EndpointRequest } from "@/lib/server/endpoints/call-endpoint";
import { serveEndpoint } from "@/lib/server/endpoints/serve-endpoint";
import type { Platform } from "@/lib/server/platform/platform";
import type { Exchange } from "./exchange";

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
] as const satisfies EndpointRequest["method"][];

/** Streams a request to an app's endpoint, and its answer back. */
export async function answerEndpoint({ platform, request, response, parts }: Exchange): Promise<void> {
  const [routeBase = "", rest = ""] = parts;
  const method = METHODS.find((each) => each === request.method);
  if (method === undefined) throw new Problem("WRONG_METHOD", `Use ${METHODS.join(", ")}.`);
  const { url = "", headers } = request;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const client = new AbortController();
  response.once("close", () => client.abort());
  const gone = client.signal;
  // A refused body is not the end of the connection: the client still gets the reason.
  const body = request.iterator({ destroyOnReturn: false });
  const asked = { routeBase, path: `/${rest}`, query, method, headers, body, gone };
  const answer = await serveEndpoint(platform, asked, readAddress(platform, request));
  response.writeHead(answer.status, answer.headers);
  // Read also when the client is gone: the end of the body records the attempt.
  for await (const chunk of answer.body) {
    if (!response.write(chunk)) await once(response, "drain", { signal: gone });
  }
  response.end();
}

/** Of the client. A proxy appends the address that it saw; what comes before it, anyone can claim. */
function readAddress({ environment }: Platform, { headers, socket }: IncomingMessage): string {
  const forwarded = environment.PLATFORM_BEHIND_PROXY ? headers["x-forwarded-for"] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(",").at(-1)?.trim();
  return last ?? socket.remoteAddress ?? "";
}
