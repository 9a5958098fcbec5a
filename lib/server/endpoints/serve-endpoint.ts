import { isId } from "@/lib/contract/names";
import { Problem, wrongMethod } from "@/lib/contract/problem";
import { allowsMethod, findEndpoint, isPlainPath } from "@/lib/domain/endpoints/endpoint";
import { authenticateCore } from "../identity/authenticate-core";
import type { Platform } from "../platform/platform";
import { callEndpoint, type EndpointAnswer, type EndpointRequest } from "./call-endpoint";
import { beginRequest, countRequest } from "./limit-requests";
import { selectServedEndpoints, type ServedEndpoint } from "./queries";

/**
 * Serves a request to an installation's endpoint. Unknown, stopped, closed and foreign ones look the same. Throws BAD_PATH,
 * NOT_FOUND, WRONG_CREDENTIALS, WRONG_METHOD, TOO_MANY_REQUESTS, TOO_LARGE, and what the app's failure is.
 * @param address of the client
 */
export async function serveEndpoint(
  platform: Platform,
  request: EndpointRequest,
  address: string,
): Promise<EndpointAnswer> {
  const endpoint = await requireEndpoint(platform, request);
  if (endpoint.access === "public") countRequest(endpoint.installationId, address);
  const end = beginRequest(endpoint.installationId);
  try {
    return await callEndpoint(platform, endpoint, request, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function requireEndpoint(platform: Platform, request: EndpointRequest): Promise<ServedEndpoint> {
  const { routeBase, path, query, method, headers } = request;
  if (!isPlainPath(path) || !/^[\x21-\x7e]*$/.test(query))
    throw new Problem(
      "BAD_PATH",
      "The platform can't forward this path. Remove empty, '.' and '..' segments, ';', and encoded slashes, dots, semicolons, and control characters.",
    );
  const declared = isId(routeBase) ? await selectServedEndpoints(platform.db, routeBase) : [];
  const endpoint = findEndpoint(declared, path);
  if (endpoint === undefined) throw new Problem("NOT_FOUND");
  if (endpoint.access !== "public") await requireCore(platform, headers.authorization, endpoint.tenantId);
  else if (endpoint.openedAt === null) throw new Problem("NOT_FOUND");
  if (!allowsMethod(endpoint.methods, method))
    throw wrongMethod(endpoint.methods, `Use ${endpoint.methods.join(" or ")} here.`);
  return endpoint;
}

async function requireCore(
  platform: Platform,
  authorization: string | string[] | undefined,
  tenantId: string,
): Promise<void> {
  const given = typeof authorization === "string" ? authorization : undefined;
  const core = await authenticateCore(platform, given);
  if (core.tenantId !== tenantId) throw new Problem("NOT_FOUND");
}
