import type { EvidenceFacts } from "@/lib/contract/evidence";
import { listChecks, skipRest, type Verdict, type Verdicts } from "@/lib/domain/evidence/verdict";
import { LEASE_SECONDS } from "../leases/lease-loop";
import type { Platform } from "../platform/platform";
import * as queries from "./queries";

/** The review ended, or another worker took the checks over. */
export class LostClaim extends Error {}

export type Report = ReturnType<typeof createReport>;

/** Stores each result when it is known. Throws LostClaim. */
export function createReport(platform: Platform, claimed: queries.ClaimedEvidence) {
  const facts: EvidenceFacts = { image: null, startMs: null, memoryBytes: null, calls: 0 };
  let verdicts: Verdicts = {};
  const save = async () => {
    const known = { facts, checks: listChecks(verdicts) };
    if (!(await queries.saveEvidence(platform.db, claimed, known, LEASE_SECONDS))) throw new LostClaim();
  };
  return {
    facts,
    /** @param ms how long observing took, for all of them */
    add: async (ms: number, added: Partial<Record<keyof Verdicts, Verdict>>) => {
      for (const [name, verdict] of Object.entries(added))
        verdicts = { ...verdicts, [name]: { ...verdict, ms: Math.round(ms) } };
      await save();
    },
    /** The checks that have no result are skipped for this reason. */
    end: async (reason: string) => {
      verdicts = skipRest(verdicts, reason);
      await save();
    },
  };
}
