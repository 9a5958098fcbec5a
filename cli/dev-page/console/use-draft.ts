import * as z from "zod";
import { useSessionState } from "@/lib/client/session-state";

/** Every customer gets the call. */
export const ALL = "all";

const byRoute = z.record(z.string(), z.string());

const draft = z.object({
  route: z.string(),
  /** One of them, or `ALL`. */
  customer: z.string(),
  /** Event type or operation. */
  names: byRoute,
  methods: byRoute,
  paths: byRoute,
  product: z.string(),
  /** Payloads that differ from the sample, by route, name and product. */
  typed: byRoute,
});
type Draft = z.infer<typeof draft>;

const EMPTY: Draft = { route: "", customer: "", names: {}, methods: {}, paths: {}, product: "", typed: {} };

/** What is chosen and typed in the console, also while another area is shown. */
export function useDraft(): [Draft, (changed: Partial<Draft>) => void] {
  return useSessionState("dev-console", draft, EMPTY);
}
