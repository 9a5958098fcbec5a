"use client";

import {
  Check,
  CheckCheck,
  CircleAlert,
  Flag,
  FlaskConical,
  Globe,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Mail,
  MessageSquare,
  PackageCheck,
  Rocket,
  ShieldBan,
  SquareCheckBig,
  TriangleAlert,
  Unplug,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { NotificationView } from "@/lib/contract/platform/notification";
import type { NotificationKind } from "@/lib/contract/platform/notification-kinds";
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

/** Marks what happened up to `until`, the newest that the page shows. */
export function MarkAllRead({ until, kind }: { until: string; kind?: NotificationKind }) {
  const markRead = useMarkRead();
  return (
    <>
      <Button isDisabled={markRead.isPending} onPress={() => markRead.mutate({ until, kind })}>
        <CheckCheck aria-hidden className="size-4" />
        Mark all as read
      </Button>
      <ProblemNotice error={markRead.error} />
    </>
  );
}

const ICONS: Record<NotificationKind, LucideIcon> = {
  "review-submitted": ListChecks,
  report: Flag,
  "review-moved": SquareCheckBig,
  pilot: FlaskConical,
  "launch-request": Rocket,
  comment: MessageSquare,
  version: PackageCheck,
  domain: Globe,
  "app-error": CircleAlert,
  "refused-host": Unplug,
  "installation-error": TriangleAlert,
  suspension: ShieldBan,
  delivery: Webhook,
  "api-key": KeyRound,
  membership: Users,
  invitation: Mail,
};

interface NotificationRowProps {
  notification: NotificationView;
  onOpen: () => void;
  /** A button beside it. */
  action?: ReactNode;
}

/** One notification, which leads to what it is about. */
export function NotificationRow({ notification, onOpen, action }: NotificationRowProps) {
  const { kind, title, body, href, count, at, read, elsewhere } = notification;
  const Icon = ICONS[kind];
  const target =
    elsewhere === null
      ? href
      : `/organization/switch?${new URLSearchParams({ to: elsewhere.id, next: href })}`;
  return (
    <li className="relative flex flex-wrap items-start gap-3 px-4 py-3 hover:bg-hover">
      <span className="relative mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full border border-line bg-subtle text-ink-soft">
        <Icon aria-hidden className="size-4" />
        {!read && (
          <span className="absolute -top-0.5 -right-0.5 size-2.5 rounded-full border-2 border-raised bg-accent">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1 basis-28">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <PageLink
            href={target}
            onClick={onOpen}
            className={`min-w-0 text-sm leading-5 wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text ${
              read ? "text-ink-soft" : "font-medium text-ink"
            }`}
          >
            <bdi>{title}</bdi>
          </PageLink>
          {count > 1 && <Badge>{count.toLocaleString("en-US")} times</Badge>}
        </div>
        {body !== "" && (
          <p className="mt-0.5 line-clamp-2 text-small leading-5 wrap-anywhere text-ink-soft">
            <bdi>{body}</bdi>
          </p>
        )}
        <p className="mt-0.5 text-xs leading-5 text-ink-faint">
          <RelativeTime at={at} />
          {elsewhere !== null && ` · ${elsewhere.name}`}
        </p>
      </div>
      {action !== undefined && <div className="relative z-10 shrink-0">{action}</div>}
    </li>
  );
}
