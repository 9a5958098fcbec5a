/** Why a delivery was sent later than it was due. */
import type { DeliveryHold } from "@/lib/contract/installation";

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
}

/** Undefined for a delivery that nothing held back: it was sent as soon as a worker was free. */
export function explainWait({ dueAt, runningSince, readyAt }: Claimed): DeliveryWait | undefined {
  if (runningSince !== null && runningSince > dueAt) return { dueAt, heldBy: "NOT_RUNNING" };
  if (readyAt !== null && readyAt > dueAt) return { dueAt, heldBy: "NOT_READY" };
  return undefined;
}
