"use client";

import { Check } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { NotificationView } from "@/lib/contract/notification";
import { NotificationRow } from "./notification-row";
import { useMarkRead } from "./use-notifications";

/** A page of notifications. */
export function NotificationList({ notifications }: { notifications: readonly NotificationView[] }) {
  const markRead = useMarkRead();
  return (
    <>
      <ProblemNotice error={markRead.error} />
      <Card flush>
        <ul aria-label="Notifications" className="divide-y divide-line">
          {notifications.map((notification) => {
            const mark = () => markRead.mutate({ ids: [notification.id] });
            return (
              <NotificationRow
                key={notification.id}
                notification={notification}
                onOpen={() => {
                  if (!notification.read) mark();
                }}
                action={
                  notification.read ? undefined : (
                    <Button
                      tone="quiet"
                      size="icon-small"
                      aria-label={`Mark as read: ${notification.title}`}
                      onPress={mark}
                    >
                      <Check aria-hidden className="size-4" />
                    </Button>
                  )
                }
              />
            );
          })}
        </ul>
      </Card>
    </>
  );
}
