import { once } from "node:events";
import { wrongMethod } from "@/lib/contract/platform/problem";
import type { EndpointRequest } from "@/lib/server/calls/call-endpoint";
import { serveEndpoint } from "@/lib/server/calls/serve-endpoint";
import { readAddress } from "@/lib/server/platform/requests/read-request";
import type { Exchange } from "./answer";

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
  if (method === undefined) throw wrongMethod(METHODS, `Use ${METHODS.join(", ")}.`);
  const { url = "", headers } = request;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const client = new AbortController();
  response.once("close", () => client.abort());
  const gone = client.signal;
  // A refused body is not the end of the connection: the client still gets the reason.
  const body = request.iterator({ destroyOnReturn: false });
  const asked = { routeBase, path: `/${rest}`, query, method, headers, body, gone };
  const answer = await serveEndpoint(platform, asked, readAddress(platform.environment, request));
  response.writeHead(answer.status, answer.headers);
  // Read also when the client is gone: the end of the body records the attempt.
  for await (const chunk of answer.body) {
    if (!response.write(chunk)) await once(response, "drain", { signal: gone });
  }
  response.end();
}
