/** The emulator over HTTP: its page and API, the state API, the core, and the app's endpoints. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as z from "zod";
import { configurationCheckInput, type CheckResult } from "@/lib/contract/configuration-check";
import { configurationInput } from "@/lib/contract/installation";
import { parseInput } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";
import { devCallInput } from "./contract/calls";
import { devSettings } from "./contract/core";
import { devNewCustomer } from "./contract/customers";
import { DRILL_NAMES } from "./contract/drills";
import type { Emulator } from "./emulator";
import { answerJson, type Exchange } from "./http/serve";

const STREAM_PING_MS = 15_000;
const drillName = z.enum(DRILL_NAMES);
/** The rest of the policy is in the page itself: see launcher/build-dev-page.mjs. */
const FRAME_POLICY = "frame-ancestors 'none'";

/** Which part of the emulator a listener serves: the app's container reaches only what an app needs. */
export type Audience = "everyone" | "app";

export function createApi(emulator: Emulator) {
  const checks = new Map<string, CheckResult | undefined>();

  return async (audience: Audience, exchange: Exchange): Promise<void> => {
    const { method, path, response } = exchange;
    // Apps may join a base with a slash at its end.
    const parts = path
      .replace(/^\/\/(?!\/)/, "/")
      .split("/")
      .slice(1)
      .map(decode);
    const [first, second] = parts;
    if (first === "state") return readState(exchange, parts.slice(1));
    if (first === "core") return askCore(exchange, parts.slice(1));
    if (path === "/.well-known/jwks.json") return answerJson(response, 200, emulator.tokens.jwks);
    if (audience === "app") throw new Problem("NOT_FOUND", "Apps find only the state API and the core here.");
    if (path === "/" && method === "GET") return answerPage(response);
    if (first === "r") return passOn(exchange, second ?? "", path);
    if (first === "api") return answerOwn(exchange, parts.slice(1));
    throw new Problem("NOT_FOUND", "There is nothing at this address.");
  };

  function readState({ method, response }: Exchange, [key = "", rest, ...more]: readonly string[]): void {
    if (method !== "GET") throw new Problem("WRONG_METHOD", "The state can only be read, with GET.");
    if (more.length > 0 || (rest !== undefined && rest !== "webhook-secrets"))
      throw new Problem("NOT_FOUND", "There is nothing at this address.");
    answerJson(response, 200, emulator.readState(key, rest ?? "state"));
  }

  async function askCore({ method, request, response, gone }: Exchange, parts: readonly string[]) {
    const { authorization } = request.headers;
    const answer = await emulator.core.answer({ method, parts, authorization, gone });
    if (answer === undefined) return void response.destroy();
    answerJson(response, answer.status, answer.body);
  }

  async function answerOwn(exchange: Exchange, parts: readonly string[]): Promise<void> {
    const { method, response, query, readJson } = exchange;
    const [area, id = "", action] = parts;
    const route = `${method} ${[area, ...(action === undefined ? (parts.length > 1 ? ["*"] : []) : ["*", action])].join("/")}`;
    switch (route) {
      case "GET installations/*/configuration":
        return answerJson(response, 200, emulator.configuration(id));
      case "PUT installations/*/configuration": {
        const revision = await emulator.configure(id, parseInput(configurationInput, await readJson()));
        return answerJson(response, 200, { revision });
      }
      case "POST configuration-checks": {
        const input = parseInput(configurationCheckInput, await readJson());
        if (input.for !== "installation")
          throw new Problem("BAD_INPUT", "Only the answers of a customer can be checked here.");
        const { revision, settings, mappings } = input;
        return startCheck(response, input.installationId, { revision, settings, mappings });
      }
      case "GET configuration-checks/*": {
        if (!checks.has(id)) throw new Problem("NOT_FOUND", "This check doesn't exist.");
        const result = checks.get(id);
        const state = result === undefined ? "CALLING" : "ENDED";
        return answerJson(response, 200, { state, result: result ?? null });
      }
      case "DELETE configuration-checks/*":
        checks.delete(id);
        return answerJson(response, 204, null);
    }
    if (area !== "dev") throw new Problem("NOT_FOUND", "There is nothing at this address.");
    const [, name, key, verb] = parts;
    switch (
      `${method} ${[name, ...(key === undefined ? [] : ["*"]), ...(verb === undefined ? [] : [verb])].join("/")}`
    ) {
      case "GET snapshot":
        return answerJson(response, 200, emulator.snapshot());
      case "GET stream":
        return stream(exchange);
      case "GET sample": {
        const payload = emulator.sample(
          query.get("customer") ?? "",
          query.get("route") ?? "",
          query.get("name") ?? undefined,
          query.get("product") ?? undefined,
        );
        return answerJson(response, 200, { payload });
      }
      case "PUT settings":
        return answerJson(response, 200, emulator.changeSettings(parseInput(devSettings, await readJson())));
      case "POST restart":
        await readJson();
        await emulator.start("Restarted by hand");
        return answerJson(response, 200, emulator.instance());
      case "POST calls":
        return answerJson(response, 200, await emulator.call(parseInput(devCallInput, await readJson())));
      case "POST customers": {
        const added = parseInput(devNewCustomer, await readJson());
        return answerJson(response, 201, await emulator.addCustomer(added.name));
      }
      case "DELETE customers/*":
        await emulator.removeCustomer(key ?? "");
        return answerJson(response, 204, null);
      case "POST customers/*/invent":
        await readJson();
        return answerJson(response, 200, { revision: await emulator.invent(key ?? "", "all") });
      case "POST drills/*": {
        await readJson();
        const drill = drillName.safeParse(key);
        if (!drill.success) throw new Problem("NOT_FOUND", `The drills are ${DRILL_NAMES.join(", ")}.`);
        return answerJson(response, 200, await emulator.runDrill(drill.data));
      }
      default:
        throw new Problem("NOT_FOUND", "There is nothing at this address.");
    }
  }

  function startCheck(response: ServerResponse, customerId: string, input: Parameters<Emulator["check"]>[1]) {
    const checkId = randomUUID();
    const checking = emulator.check(customerId, input);
    checks.set(checkId, undefined);
    void checking
      .catch((error: unknown): CheckResult => {
        const reason = error instanceof Problem ? error.detail : String(error);
        return { outcome: "FAILED", reason };
      })
      .then((result) => checks.has(checkId) && checks.set(checkId, result));
    answerJson(response, 201, { checkId });
  }

  function stream({ response, gone }: Exchange): void {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    const write = (name: string, data: unknown) =>
      void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    write("snapshot", emulator.snapshot());
    const end = emulator.history.follow(({ name, data }) => write(name, data));
    const ping = setInterval(() => void response.write(": still here\n\n"), STREAM_PING_MS);
    gone.addEventListener("abort", () => {
      end();
      clearInterval(ping);
    });
  }

  /** `/r/<customer>/<path>`: what third parties and browsers would reach through the platform. */
  async function passOn({ method, query, request, response }: Exchange, customerId: string, path: string) {
    const below = path.slice(`/r/${customerId}`.length);
    const body = (await buffer(request)).toString("utf8");
    const sent = await emulator.callEndpoint(customerId, {
      ...{ method, path: below, body: body === "" ? undefined : body, headers: request.headers },
      query: query.size > 0 ? `?${query}` : "",
    });
    response.writeHead(sent.status, sent.headers).end(sent.body);
  }
}

async function answerPage(response: ServerResponse): Promise<void> {
  const page = await readFile(new URL("../dist/dev-page.html", import.meta.url)).catch(() => undefined);
  const body =
    page ??
    "<!doctype html><title>platform-app dev</title><p>The page of the emulator is not built. Run npm run build:cli.</p>";
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": FRAME_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    })
    .end(body);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
