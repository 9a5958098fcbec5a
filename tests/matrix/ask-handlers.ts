/**
 * Calls the route handlers on disk as Next does. A test that uses it begins with
 * `vi.mock("next/headers", async () => (await import("@/tests/request-scope")).nextHeaders)`.
 */
import { vi } from "vitest";
import { ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import { CLIENT_ADDRESS } from "@/lib/server/platform/requests/read-request";
import { webPlatform } from "@/lib/server/surface/web/platform";
import { scope } from "../request-scope";
import { filesOnDisk, handlersIn, listApiRoutes } from "../routes-on-disk";
import { sealSession, sessionCookie } from "../seal-session";
import type { AskedRoute } from "./cases";
import type { Person } from "./world";

export const WEB_URL = "http://localhost:3000";

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** All but next-auth's. */
export async function loadHandlers(): Promise<[AskedRoute, Handler][]> {
  const rows: [AskedRoute, Handler][] = [];
  for (const route of filesOnDisk("route.ts")) {
    if (route.path === "/api/[...path]") continue;
    const exported: Record<string, Handler> = await import(route.file);
    for (const name of handlersIn(route)) {
      const handler = exported[name.slice(0, name.indexOf(" "))];
      if (handler !== undefined && isRoute(name)) rows.push([name, handler]);
    }
  }
  for (const handler of await listApiRoutes())
    if (isRoute(handler.routeName)) rows.push([handler.routeName, handler]);
  return rows;
}

function isRoute(name: string): name is AskedRoute {
  return name in ROUTE_POLICY && !name.includes("nextauth");
}

/** Placeholders of a path, such as `listingId`. */
export function listParams(name: string): string[] {
  return [...name.matchAll(/\[(\w+)\]/g)].map(([, param = ""]) => param);
}

/** Of paths that are about no object of an organization. */
const OTHERS: Record<string, string> = { revision: "1", file: "unknown.json", key: "psk_unknown" };

/** Fills the placeholders. `at`: the ids of those that have another name. */
export function toParams(name: string, ids: Record<string, string>, at: Record<string, string> = {}) {
  const fill = (param: string) => ids[at[param] ?? param] ?? OTHERS[param] ?? "unknown";
  return Object.fromEntries(listParams(name).map((param) => [param, fill(param)]));
}

interface Asked {
  name: AskedRoute;
  person: Person;
  /** They fill the placeholders. */
  params: Record<string, string>;
  query?: string;
  /** `undefined` leaves a header out. */
  headers?: Record<string, string | undefined>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** By default as a page of ours sends JSON. */
export async function askHandler(handler: Handler, asked: Asked): Promise<{ status: number; text: string }> {
  const { name, person, params, query = "", body } = asked;
  const [method = "", path = ""] = name.split(" ");
  const url = new URL(
    path.replace(/\[(\w+)\]/g, (_match, param: string) => params[param] ?? ""),
    WEB_URL,
  );
  url.search = query;
  const cookie = person.actor && (await sealSession(webPlatform(), person.actor.sessionId));
  scope.sender = {
    cookies: new Map(cookie === undefined ? [] : [[sessionCookie(webPlatform()), cookie]]),
    headers: { [CLIENT_ADDRESS]: "203.0.113.1", ...person.headers },
  };
  const headers = new Headers({ origin: WEB_URL, "content-type": "application/json", ...person.headers });
  for (const [header, value] of Object.entries(asked.headers ?? {}))
    if (value === undefined) headers.delete(header);
    else headers.set(header, value);
  const sent = new Request(url, { method, headers, ...(method === "GET" ? {} : { body }) });
  const logged = vi.spyOn(webPlatform().log, "error");
  const answer = await handler(sent, { params: Promise.resolve(params) });
  // Only the log says what an unexpected error was.
  if (answer.status === 500) throw new Error(`${name}: ${JSON.stringify(logged.mock.lastCall, listError)}`);
  return { status: answer.status, text: await readText(answer) };
}

function listError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value;
}

/** A stream of events has no end. */
async function readText(answer: Response): Promise<string> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true) return answer.text();
  await answer.body?.cancel();
  return "";
}
