/** What the failure of a call means for the draft. */
import { toProblemBody } from "@/lib/client/api";

type SaveFailure =
  | { type: "stale" }
  /** No response, or a temporary failure: worth a retry. */
  | { type: "offline" }
  | { type: "signed-out" }
  | { type: "refused"; reason: string };

export function classifyFailure(error: unknown): SaveFailure {
  const { code, status, detail, issues } = toProblemBody(error);
  if (code === "STALE_REVISION") return { type: "stale" };
  if (status === 401) return { type: "signed-out" };
  if (status === 429 || (status >= 500 && code !== "STORAGE_FULL")) return { type: "offline" };
  return { type: "refused", reason: issues?.[0]?.message ?? detail };
}
