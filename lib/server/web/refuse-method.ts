import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/problem";

/** Next can't create a request with these methods, and would respond with a 500. */
const FORBIDDEN = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Responds with a 405 if the method is one that no route can have. True if it did. */
export function refuseMethod(request: IncomingMessage, response: ServerResponse, webUrl: string): boolean {
  const { method = "" } = request;
  if (!FORBIDDEN.has(method)) return false;
  const problem = new Problem("WRONG_METHOD", `${method} is not supported. Use GET, POST, PUT, or DELETE.`);
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
    allow: "GET, POST, PUT, DELETE",
  });
  response.end(JSON.stringify(problem.body(webUrl)));
  return true;
}
