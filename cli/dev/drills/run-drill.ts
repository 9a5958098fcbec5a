/** Runs drills on the emulator's app, one at a time, and says what each of their steps found. */
import { Problem } from "@/lib/contract/problem";
import type { LocalCustomer } from "../answers/customer-store";
import { findMissing } from "../answers/merge-answers";
import { DRILL_NAMES, type DevDrill, type DrillName } from "../contract/drills";
import { changeSettings, type Emulator } from "../emulator/emulator";
import { drillBadKey } from "./bad-key";
import { drillKill, drillRestart } from "./restarts";
import { setStage } from "./set-stage";
import { drillSlowCore } from "./slow-core";
import { skipped, type Stage, type Verdict } from "./stage";
import { drillTwoCustomers } from "./two-customers";

const JUDGES: Record<DrillName, (stage: Stage) => Promise<Verdict>> = {
  "slow-core": drillSlowCore,
  "expired-key": (stage) => drillBadKey(stage, "expired"),
  "unknown-key": (stage) => drillBadKey(stage, "unknown"),
  "two-customers": drillTwoCustomers,
  restart: drillRestart,
  kill: drillKill,
};

/** Returns once it has ended. Throws WRONG_STATE while another one runs. */
export async function runDrill(emulator: Emulator, name: DrillName): Promise<DevDrill> {
  const { drills, history, settings } = emulator;
  const running = [...drills.values()].find(({ state }) => state === "running");
  if (running !== undefined)
    throw new Problem("WRONG_STATE", `The drill "${running.name}" is running. Wait until it has ended.`);
  const startedMs = performance.now();
  let drill = idle(name);
  const report = (changes: Partial<DevDrill>) => {
    drill = { ...drill, ...changes };
    drills.set(name, drill);
    history.emit({ name: "drill", data: drill });
    return drill;
  };
  const end = (verdict: Verdict) => report({ ...verdict, ms: Math.round(performance.now() - startedMs) });

  report({ state: "running", startedAt: new Date().toISOString() });
  try {
    const pair = choosePair(emulator);
    if (typeof pair === "string") return end(skipped(pair));
    const stage = setStage(emulator, pair, (text, ok, detail) => {
      report({ steps: [...drill.steps, { text, ok, detail }] });
    });
    return end(await JUDGES[name](stage));
  } finally {
    changeSettings(emulator, settings);
    if (drill.state === "running")
      end({ state: "failed", verdict: "The emulator could not finish the drill.", fix: null });
  }
}

/** Before any of them ran. */
export function idleDrills(): Map<DrillName, DevDrill> {
  return new Map(DRILL_NAMES.map((name) => [name, idle(name)]));
}

function idle(name: DrillName): DevDrill {
  return { name, state: "idle", startedAt: null, ms: null, steps: [], verdict: null, fix: null };
}

/** Two customers whose calls can be sent, or what keeps a drill from running. */
function choosePair({
  app,
  customers,
  manifest,
}: Emulator): readonly [LocalCustomer, LocalCustomer] | string {
  if (app.status().state !== "ready") return "The app isn't ready. Fix that first.";
  const [one, other] = customers.list().filter((customer) => findMissing(customer, manifest).length === 0);
  return one === undefined || other === undefined
    ? "A drill needs two customers with all required answers. Fill them in, or add a customer."
    : [one, other];
}
