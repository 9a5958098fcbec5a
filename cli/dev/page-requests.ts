/** The requests of the emulator's page and of `platform-app call`, as `contract/snapshot.ts` lists them. */
import * as z from "zod";
import { configurationCheckInput, configurationInput } from "@/lib/contract/catalog/configuration";
import { parseInput, Problem } from "@/lib/contract/platform/problem";
import { devCallInput, devNewCustomer } from "./contract/calls";
import { devSettings, DRILL_NAMES } from "./contract/drills";
import { viewConfiguration } from "./emulator/answers";
import {
  addCustomer,
  configureCustomer,
  fillInCustomer,
  removeCustomer,
  startApp,
  startCheck,
  viewCheck,
} from "./emulator/customers";
import { changeSettings, type Emulator, findCustomer } from "./emulator/emulator";
import { createSample, findRoute } from "./emulator/prepare-call";
import { runDrill } from "./emulator/run-drill";
import { callRoute } from "./emulator/send-call";
import { takeSnapshot, viewInstance } from "./emulator/snapshot";
import { answerJson, type Exchange } from "./serve";

interface PageAnswer {
  status: number;
  body: unknown;
}

/** @param id what the `*` of its path matches */
type Handler = (emulator: Emulator, exchange: Exchange, id: string) => PageAnswer | Promise<PageAnswer>;

const ok = (body: unknown): PageAnswer => ({ status: 200, body });
const created = (body: unknown): PageAnswer => ({ status: 201, body });
const DONE: PageAnswer = { status: 204, body: null };

const drillName = z.enum(DRILL_NAMES);

const HANDLERS: Record<string, Handler> = {
  "GET /api/dev/snapshot": (emulator) => ok(takeSnapshot(emulator)),

  "PUT /api/dev/settings": async (emulator, { readJson }) =>
    ok(changeSettings(emulator, parseInput(devSettings, await readJson()))),

  "POST /api/dev/restart": async (emulator, { readJson }) => {
    await readJson();
    await startApp(emulator, "Restarted by hand.");
    return ok(viewInstance(emulator));
  },

  "GET /api/dev/sample": (emulator, { query }) => {
    const route = findRoute(emulator.manifest, query.get("route") ?? "");
    const customer = findCustomer(emulator, query.get("customer") ?? "");
    const [name, product] = [query.get("name") ?? undefined, query.get("product") ?? undefined];
    return ok({ payload: createSample(route, customer, emulator.manifest, name, product) });
  },

  "POST /api/dev/calls": async (emulator, { readJson }) =>
    ok(await callRoute(emulator, parseInput(devCallInput, await readJson()))),

  "POST /api/dev/customers": async (emulator, { readJson }) => {
    const { name } = parseInput(devNewCustomer, await readJson());
    return created(await addCustomer(emulator, name));
  },

  "DELETE /api/dev/customers/*": async (emulator, _exchange, id) => {
    await removeCustomer(emulator, id);
    return DONE;
  },

  "POST /api/dev/customers/*/invent": async (emulator, { readJson }, id) => {
    await readJson();
    return ok({ revision: await fillInCustomer(emulator, id, "all") });
  },

  "POST /api/dev/drills/*": async (emulator, { readJson }, name) => {
    await readJson();
    const drill = drillName.safeParse(name);
    if (!drill.success) throw new Problem("NOT_FOUND", `The drills are ${DRILL_NAMES.join(", ")}.`);
    return ok(await runDrill(emulator, drill.data));
  },

  "GET /api/installations/*/configuration": (emulator, _exchange, id) =>
    ok(viewConfiguration(findCustomer(emulator, id), emulator.manifest)),

  "PUT /api/installations/*/configuration": async (emulator, { readJson }, id) => {
    const input = parseInput(configurationInput, await readJson());
    return ok({ revision: await configureCustomer(emulator, id, input) });
  },

  "POST /api/configuration-checks": async (emulator, { readJson }) => {
    const input = parseInput(configurationCheckInput, await readJson());
    if (input.for !== "installation")
      throw new Problem("BAD_INPUT", "Only the answers of a customer can be checked here.");
    const { installationId, revision, settings, mappings } = input;
    return created({ checkId: startCheck(emulator, installationId, { revision, settings, mappings }) });
  },

  "GET /api/configuration-checks/*": (emulator, _exchange, id) => ok(viewCheck(emulator, id)),

  "DELETE /api/configuration-checks/*": (emulator, _exchange, id) => {
    emulator.checks.delete(id);
    return DONE;
  },
};

/** @param parts of the path below `/api`, decoded */
export async function answerPageRequest(
  emulator: Emulator,
  exchange: Exchange,
  parts: readonly string[],
): Promise<void> {
  for (const [route, handle] of Object.entries(HANDLERS)) {
    const id = match(route, exchange.method, parts);
    if (id === undefined) continue;
    const { status, body } = await handle(emulator, exchange, id);
    return answerJson(exchange.response, status, body);
  }
  throw new Problem("NOT_FOUND", "This address doesn't exist.");
}

/** What the `*` of a route matches, or "" if it has none. Undefined if the request is another one. */
function match(route: string, method: string, parts: readonly string[]): string | undefined {
  const [wanted, pattern = ""] = route.split(" /api/");
  const names = pattern.split("/");
  const fits = names.length === parts.length && names.every((name, at) => name === "*" || name === parts[at]);
  return fits && method === wanted ? (parts[names.indexOf("*")] ?? "") : undefined;
}
