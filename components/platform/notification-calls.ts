import { callApi } from "@/lib/client/api";
import type { ReadInput } from "@/lib/contract/platform/notification";

export function fetchNewest(signal: AbortSignal) {
  return callApi("GET", "/api/notifications", {
    answer: async () => (await import("@/lib/contract/platform/notification")).notificationPage,
    signal,
  });
}

export function markRead(input: ReadInput): Promise<void> {
  return callApi("POST", "/api/notifications/read", { body: input });
}
