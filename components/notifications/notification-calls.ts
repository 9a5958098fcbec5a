import { callApi } from "@/lib/client/api";
import { notificationPage, type NotificationPage, type ReadInput } from "@/lib/contract/notification";

export function fetchNewest(signal: AbortSignal): Promise<NotificationPage> {
  return callApi("GET", "/api/notifications", { answer: notificationPage, signal });
}

export function markRead(input: ReadInput): Promise<void> {
  return callApi("POST", "/api/notifications/read", { body: input });
}
