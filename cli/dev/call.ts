/** `platform-app call`: one call through a running `platform-app dev`. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { parsePayload } from "@/lib/contract/platform/problem";
import { endpointToDeclare } from "@/lib/domain/catalog/manifest/endpoint";
import { formatText } from "@/lib/domain/platform/json-text/text-format";
import type { CliContext } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { style } from "../terminal/format";
import { readTextOption } from "../terminal/text-option";
import { devCall, type DevCall, type DevCallInput } from "./contract/calls";
import type { DevSnapshot } from "./contract/snapshot";
import { findRunning } from "./running-dev";

export interface CallOptions {
  customer?: string;
  name?: string;
  data?: string;
  method?: string;
  manifest: string;
}

const problem = z.object({ code: z.string(), detail: z.string() });

export async function call(context: CliContext, route: string, options: CallOptions): Promise<void> {
  const { environment, terminal } = context;
  const folder = path.dirname(path.resolve(options.manifest));
  const running = await findRunning(environment.stateFolder, await realpath(folder).catch(() => folder));
  if (running === undefined)
    throw new Failure("DEV_NOT_RUNNING", `platform-app dev isn't running for ${folder}.`, {
      next: ["Start it in another terminal:  platform-app dev"],
    });
  const { url, snapshot } = running;
  const input: DevCallInput = {
    customerId: findCustomer(snapshot, options.customer),
    ...findRoute(snapshot, route),
    name: options.name,
    method: options.method,
    text: await readPayload(options.data),
    sender: "terminal",
  };
  const answer = await fetch(new URL("/api/dev/calls", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  }).catch(() => {
    throw new Failure("DEV_NOT_RUNNING", "platform-app dev ended before the call was answered.");
  });
  const body: unknown = await answer.json();
  if (!answer.ok) {
    const refused = problem.safeParse(body);
    throw new Failure(
      "CALL_FAILED",
      refused.success ? refused.data.detail : "The emulator refused the call.",
    );
  }
  const done = devCall.parse(body);
  terminal.data(done);
  for (const line of describe(done, context)) terminal.result(line);
  if (done.failure !== null)
    throw new Failure("CALL_FAILED", `The call failed. ${done.failure}`, {
      isReported: true,
      next: done.issues.map(({ pointer, message }) => `${pointer} ${message}`.trim()),
    });
}

function describe(done: DevCall, { terminal }: CliContext): string[] {
  const { bold, dim, green, red } = style(terminal);
  const { request, response, ms, reads, customerName } = done;
  const color = done.failure === null ? green : red;
  const status = color(bold(response === null ? "no response" : String(response.status)));
  const count = reads.length === 1 ? "1 state read" : `${reads.length} state reads`;
  const head = `${status}  ${request.method} ${visible(request.path)}  ${visible(customerName)}  ${dim(`${ms ?? 0} ms, ${count}`)}`;
  const received = response?.body ?? "";
  const body = parsePayload(received) === undefined ? received : formatText(received);
  return body === ""
    ? [head]
    : [head, ...body.split("\n").map((line) => visible(line.replaceAll("\t", "  ")))];
}

function findCustomer({ customers }: DevSnapshot, wanted: string | undefined): string {
  const found = customers.filter(
    ({ id, name }) =>
      wanted === undefined || id === wanted || name.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  const [first] = found;
  if (first !== undefined) return first.id;
  const names = customers.map(({ name }) => `"${name}"`).join(", ");
  throw new Failure("WRONG_USAGE", `No customer is named "${wanted ?? ""}". The customers are ${names}.`);
}

function findRoute({ manifest }: DevSnapshot, wanted: string): { route: string; path?: string } {
  const slashed = wanted.startsWith("/") ? wanted : `/${wanted}`;
  const [bare = ""] = slashed.split("?", 1);
  const found =
    manifest.routes.find(
      ({ route, path: own, title }) => route === wanted || own === bare || title === wanted,
    ) ?? manifest.routes.find(({ path: own }) => own.endsWith("/*") && bare.startsWith(own.slice(0, -1)));
  if (found === undefined) {
    const known = manifest.routes.map((each) => each.path).join(", ") || "none";
    const entry = wanted.startsWith("/") ? endpointToDeclare("GET", bare) : undefined;
    throw new Failure("WRONG_USAGE", `The manifest declares no route "${wanted}". Declared: ${known}.`, {
      next: entry === undefined ? [] : [`If browsers open it, add this to core.endpoints:  ${entry}`],
    });
  }
  return found.kind === "endpoint" && found.route !== wanted
    ? { route: found.route, path: slashed }
    : { route: found.route };
}

/** The text as it was written. What it must be, the emulator knows: of an endpoint, it can be any text. */
async function readPayload(data: string | undefined): Promise<string | undefined> {
  return data === undefined ? undefined : readTextOption("--data", data, { keepsMark: true });
}
