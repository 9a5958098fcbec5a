/** A worker's connection to an egress guard, however it is reached: it tells the guard orders, and hears what the guard counted. */
import type { Interface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AllowedHosts,
  type EgressCount,
  type FailedPolicy,
  type GuardOrder,
  type OwnPlace,
  guardReport,
  type GuardReport,
} from "@/lib/contract/runtime/egress";
import { InstanceFailure } from "./runtime";

export interface GuardOptions {
  /** What each version may reach now. A version that is missing reaches nothing. */
  readAllowed: (versionIds: readonly string[]) => Promise<ReadonlyMap<string, AllowedHosts>>;
  /** The platform's own listeners, which no app reaches. */
  places?: readonly OwnPlace[];
  /** PEM text of CAs that the platform trusts besides the usual ones: those of customers' cores, too. */
  readAuthorities?: () => Promise<string>;
  /** Apps never start without it. Otherwise they do where it can't run. */
  isRequired: boolean;
  /** What the guard counted since it started: `boot` tells its starts apart. */
  noteCounts?: (boot: string, counts: EgressCount[]) => void;
  /** Where the guard's names are resolved, instead of the engine's name servers. */
  nameServers?: readonly string[];
}

export interface GuardLink {
  /** Returns the policies that are not in force. Throws an InstanceFailure if the guard doesn't answer. */
  tell(order: GuardOrder): Promise<FailedPolicy[]>;
  ended: Promise<void>;
  /** The guard runs on. */
  close(): void;
}

const TOLD_MS = 10_000;

interface Ends {
  /** Orders go there. */
  stream: NodeJS.ReadWriteStream;
  /** Reports come from there. */
  lines: Interface;
  /** Which worker this is. */
  from: string;
  noteCounts: GuardOptions["noteCounts"];
}

export function linkGuard({ stream, lines, from, noteCounts }: Ends): GuardLink {
  const answers = new Map<number, (failed: FailedPolicy[]) => void>();
  lines.on("line", (line) => {
    const report = parseReport(line);
    if (report === undefined) return;
    if ("counts" in report) noteCounts?.(report.boot, report.counts);
    else if (report.from === from) answers.get(report.applied)?.(report.failed);
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stream.once(event, () => resolve());
  });
  return {
    ended,
    tell: async (order) => {
      const answered = new Promise<FailedPolicy[]>((resolve) => answers.set(order.sequence, resolve));
      stream.write(`${JSON.stringify(order)}\n`);
      const late = sleep(TOLD_MS, undefined, { ref: false });
      const failed = await Promise.race([answered, late, ended]);
      answers.delete(order.sequence);
      if (failed !== undefined) return failed;
      // A connection over which nothing comes is of no use.
      stream.end();
      throw new InstanceFailure(
        "NETWORK_FAILED",
        "The egress guard did not answer. The worker connects to it again.",
      );
    },
    close: () => stream.end(),
  };
}

function parseReport(line: string): GuardReport | undefined {
  try {
    return guardReport.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
