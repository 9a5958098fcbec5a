/** Why a delivery was sent later than it was due. */
import type { DeliveryHold } from "@/lib/contract/installation-states";

export interface DeliveryWait {
  dueAt: Date;
  heldBy: DeliveryHold;
}

interface Claimed {
  dueAt: Date;
  /** When the installation last became `RUNNING`; null if that was not recorded. */
  runningSince: Date | null;
  /** When the instance that receives it became ready. */
  readyAt: Date | null;
  /** When the installation's circuit breaker last closed; null if it never opened. */
  breakerClosedAt?: Date | null;
  /** It is sent while the breaker is half open. */
  probe?: boolean;
}

/** Undefined for a delivery that nothing held back: it was sent as soon as a worker was free. */
export function explainWait(claimed: Claimed): DeliveryWait | undefined {
  const { dueAt, runningSince, readyAt, breakerClosedAt = null, probe = false } = claimed;
  if (runningSince !== null && runningSince > dueAt) return { dueAt, heldBy: "NOT_RUNNING" };
  if (readyAt !== null && readyAt > dueAt) return { dueAt, heldBy: "NOT_READY" };
  if (probe || (breakerClosedAt !== null && breakerClosedAt > dueAt))
    return { dueAt, heldBy: "BREAKER_OPEN" };
  return undefined;
}
