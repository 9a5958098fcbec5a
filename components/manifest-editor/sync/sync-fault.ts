import { problemBodyOf } from "@/lib/client/api";

export type SyncFault =
  | { type: "stale" }
  /** No answer, or none that says anything of the draft: worth another try. */
  | { type: "unreachable" }
  | { type: "signed-out" }
  | { type: "refused"; reason: string };

/** What a failed call means for the draft. */
export function faultOf(error: unknown): SyncFault {
  const { code, status, detail, issues } = problemBodyOf(error);
  if (code === "STALE_REVISION") return { type: "stale" };
  if (status === 401) return { type: "signed-out" };
  if (status === 429 || (status >= 500 && code !== "STORAGE_FULL")) return { type: "unreachable" };
  return { type: "refused", reason: issues?.[0]?.message ?? detail };
}
