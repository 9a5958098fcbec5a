/** What browsers and third parties send to an app. */
import { once } from "node:events";
import { wrongMethod } from "@/lib/contract/platform/problem";
import { hasRootPage, serveEndpoint } from "../../../calls/serve-endpoint";
import { readAddress } from "../../../platform/requests/read-request";
import { readRest } from "../../../platform/requests/read-rest";
import { AS_DECLARED } from "./credentials";
import { type Exchange, untilClosed } from "./exchange";
import { NOTHING, raw, route } from "./route";
import { APP_FAULTS } from "./core";

export const endpoint = route({
  name: "ANY /r/<routeBase>/<path...>",
  credential: AS_DECLARED,
  work: "endpoints",
  summary: "Call an endpoint of an app",
  description:
    "The app's manifest declares paths and methods, and whether anyone may call them or only the tenant's core. Bodies " +
    "are streamed in both directions. Status, headers, and body of the response are the app's.",
  parameters: { routeBase: "Identifies the installation.", path: "A path that the manifest declares." },
  body: raw("*/*"),
  answer: raw("*/*"),
  problems: ["BAD_PATH", "NOT_FOUND", "TOO_SLOW", "TOO_LARGE", ...APP_FAULTS],
  run: forward,
});

export const basePage = route({
  name: "GET /r/<routeId>",
  credential: AS_DECLARED,
  work: "endpoints",
  summary: "Open an app's page",
  description:
    "Redirects a browser from an installation's base URL to the app's page there, if the app has a public endpoint `/`. Its " +
    "relative links work only below the slash. Cores call routes with POST.",
  parameters: { routeId: "Identifies the installation, as in the URLs of its endpoints." },
  status: 308,
  answer: NOTHING,
  problems: ["WRONG_METHOD"],
  run: async ({ platform, request: { url = "" }, parts: [routeBase = ""] }) => {
    if (!(await hasRootPage(platform, routeBase)))
      throw wrongMethod(
        ["POST"],
        "Cores call a route of an app here, with POST. Browsers reach what the app's manifest declares in core.endpoints, at /r/<route base>/ and below.",
      );
    const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
    return { location: `/r/${routeBase}/${query}` };
  },
});

/** Streams a request to an app's endpoint, and its answer back. */
async function forward({ platform, request, response, parts: [routeBase = "", rest = ""] }: Exchange) {
  const { method = "", url = "", headers } = request;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const gone = untilClosed(response);
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
  // An app may answer without reading all of the request.
  readRest(request, response);
}
