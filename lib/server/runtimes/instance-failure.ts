import { isAppFault, type ReasonCode } from "@/lib/contract/instance-reasons";
import { Problem } from "@/lib/contract/problem";

/** Why an instance could not be started: APP_FAILED if its publisher can fix that, UNAVAILABLE otherwise. */
export class InstanceFailure extends Problem {
  constructor(
    readonly reasonCode: ReasonCode,
    /** The reason, as a sentence that says how to fix it. */
    detail: string,
    readonly exitCode: number | null = null,
  ) {
    super(isAppFault(reasonCode) ? "APP_FAILED" : "UNAVAILABLE", detail);
  }
}
