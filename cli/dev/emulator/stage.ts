/** What drills act on: the running app, two of its customers, and the core. */
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { DevDrill, DevSettings } from "../contract/drills";

export interface DrillCall {
  kind: RouteKind;
  route: string;
  name: string | undefined;
  method: "GET" | "POST";
  path: string;
  /** Such as `POST /autofill (newBusiness.create)`. */
  what: string;
}

export interface DrillAnswer {
  status: number | null;
  fault: string | null;
  failure: string | null;
  body: string | null;
  ms: number;
  /** How often its key read the state, successfully or not. */
  reads: number;
}

export interface Sent extends DrillAnswer {
  customer: number;
  call: DrillCall;
}

export interface Stage {
  calls: readonly DrillCall[];
  customers: readonly { name: string; markers: readonly string[] }[];
  /** The answer's `reads` are counted until `countReads`, because an app may read late. */
  send(customer: number, call: DrillCall, key?: "expired" | "unknown"): Promise<DrillAnswer>;
  /** Reads with keys of this customer so far. */
  countReads(customer: number): number;
  core: { set(speed: DevSettings["core"], delayMs?: number): void; requests(): number };
  app: {
    restart(): Promise<{ ready: boolean; stopped: "ended" | "killed" }>;
    kill(): Promise<void>;
    waitUntilReady(ms: number): Promise<boolean>;
    /** What is wrong; undefined if it is healthy. */
    findProblem(): Promise<string | undefined>;
  };
  step(text: string, ok: boolean, detail: string): void;
}

export interface Verdict extends Pick<DevDrill, "fix"> {
  state: "passed" | "warned" | "failed" | "skipped";
  verdict: string;
}

export const passed = (verdict: string): Verdict => ({ state: "passed", verdict, fix: null });
export const skipped = (verdict: string): Verdict => ({ state: "skipped", verdict, fix: null });
export const failed = (verdict: string, fix: string): Verdict => ({ state: "failed", verdict, fix });
export const warned = (verdict: string, fix: string): Verdict => ({ state: "warned", verdict, fix });

export const isOk = ({ failure }: Pick<DrillAnswer, "failure">) => failure === null;

export function describeAnswer({ status, failure, ms }: DrillAnswer): string {
  if (failure !== null && status === null) return `${failure} (${ms} ms)`;
  return `${status ?? "no response"} in ${ms} ms${failure === null || status === null ? "" : `. ${failure}`}`;
}

/** Every call for both customers, one after another. */
export async function sendAll(stage: Stage): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const call of stage.calls)
    for (const customer of stage.customers.keys())
      sent.push({ customer, call, ...(await stage.send(customer, call)) });
  return sent;
}
