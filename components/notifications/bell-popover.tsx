"use client";

import { BellOff, Settings2 } from "lucide-react";
import type { RefObject } from "react";
import { Dialog, Heading, Popover } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextLink } from "@/components/ui/text-link";
import { NotificationRow } from "./notification-row";
import { useMarkRead, useNewest } from "./use-notifications";

interface BellPopoverProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The newest notifications. Opening one marks it as read. */
export function BellPopover({ trigger, isOpen, onOpenChange }: BellPopoverProps) {
  const { data, error } = useNewest();
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
      className="flex w-96 max-w-[calc(100vw-24px)] arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high"
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
          <ProblemNotice error={error ?? markRead.error} />
          {data !== undefined && newest.length === 0 && (
            <EmptyState icon={BellOff} title="No notifications">
              What concerns you and your organization appears here.
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
        <footer className="shrink-0 border-t border-line px-4 py-2.5 text-[13px]">
          <TextLink href="/notifications" standalone onClick={close}>
            See all notifications
          </TextLink>
        </footer>
      </Dialog>
    </Popover>
  );
}
