"use client";

import { BellOff, Settings2 } from "lucide-react";
import type { RefObject } from "react";
import { Dialog, Heading, Popover } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { EmptyState, Skeleton } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { NotificationRow } from "./notification-list";
import { useMarkRead, useNewest } from "./use-notifications";

interface BellPopoverProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The newest notifications. Opening one marks it as read. */
export function BellPopover({ trigger, isOpen, onOpenChange }: BellPopoverProps) {
  const { data, error, refetch, isFetching } = useNewest();
  const markRead = useMarkRead();
  const newest = data?.notifications ?? [];
  const close = () => onOpenChange(false);
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="bottom start"
      maxHeight={576}
      className="flex w-96 max-w-[calc(100%-24px)] arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high"
    >
      <Dialog className="flex min-h-0 flex-1 flex-col outline-none">
        <header className="flex h-12 shrink-0 items-center justify-between gap-2 border-b border-line pr-2 pl-4">
          <Heading slot="title" className="text-sm font-semibold text-ink">
            Notifications
          </Heading>
          <div className="flex items-center gap-1">
            {data !== undefined && data.unread > 0 && newest[0] !== undefined && (
              <Button
                tone="quiet"
                size="tiny"
                isDisabled={markRead.isPending}
                onPress={() => newest[0] && markRead.mutate({ until: newest[0].at })}
              >
                Mark all as read
              </Button>
            )}
            <LinkButton
              href="/account/notifications"
              tone="quiet"
              size="icon-small"
              aria-label="Notification settings"
              onClick={close}
            >
              <Settings2 aria-hidden className="size-4" />
            </LinkButton>
          </div>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ProblemNotice error={error ?? markRead.error} className="m-3" />
          {data === undefined && error !== null && (
            <Button size="small" className="mx-3 mb-3" isPending={isFetching} onPress={() => void refetch()}>
              Try again
            </Button>
          )}
          {data === undefined && error === null && <Loading />}
          {data !== undefined && newest.length === 0 && (
            <EmptyState icon={BellOff} title="No notifications">
              Updates about you and your organization appear here.
            </EmptyState>
          )}
          <ul className="divide-y divide-line">
            {newest.map((notification) => (
              <NotificationRow
                key={notification.id}
                notification={notification}
                onOpen={() => {
                  close();
                  if (!notification.read) markRead.mutate({ ids: [notification.id] });
                }}
              />
            ))}
          </ul>
        </div>
        <footer className="shrink-0 border-t border-line px-4 py-2.5 text-small">
          <TextLink href="/notifications" standalone onClick={close}>
            See all notifications
          </TextLink>
        </footer>
      </Dialog>
    </Popover>
  );
}

/** As high as a few notifications, so that little moves when they arrive. */
function Loading() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading notifications…</span>
      {[0, 1, 2].map((row) => (
        <div key={row} aria-hidden className="flex items-start gap-3 px-4 py-3">
          <Skeleton className="mt-0.5 size-8 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2 py-1">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-3 w-3/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
        </div>
      ))}
    </div>
  );
}
