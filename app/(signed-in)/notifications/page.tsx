import { BellOff, Settings2 } from "lucide-react";
import type { Metadata } from "next";
import { MarkAllRead, NotificationList } from "@/components/platform/notification-list";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, PageHeader, Pager } from "@/components/ui/page-header";
import { notificationFilter } from "@/lib/contract/platform/notification";
import { NOTIFICATION_KINDS } from "@/lib/contract/platform/notification-kinds";
import { formatCount } from "@/lib/domain/platform/text";
import {
  countByState,
  listNotifications,
  MOST_COUNTED,
} from "@/lib/server/platform/notifications/list-notifications";
import { readPreferences } from "@/lib/server/platform/notifications/preferences";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Notifications" };

export default page("/notifications", async ({ platform, actor, searchParams }) => {
  const filter = notificationFilter.parse(searchParams);
  const { after } = searchParams;
  const [{ notifications, unread, ...pages }, counts, kinds] = await Promise.all([
    listNotifications(platform, actor, filter, after),
    countByState(platform, actor, filter),
    readPreferences(platform, actor),
  ]);
  const query = (changes: { unread?: string; kind?: string }) => {
    const kept = Object.entries({ ...filter, ...changes }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    return Object.fromEntries(kept);
  };
  const href = (changes: { unread?: string; kind?: string }) =>
    `/notifications?${new URLSearchParams(query(changes))}`;
  const newest = notifications[0];
  const isFiltered = Object.keys(query({})).length > 0;
  return (
    <>
      <PageHeader
        title="Notifications"
        description="News about you, your organizations, and your apps."
        actions={
          <>
            {unread > 0 && newest !== undefined && pages.isFirst && (
              <MarkAllRead until={newest.at} kind={filter.kind} />
            )}
            <LinkButton href="/account/notifications">
              <Settings2 aria-hidden className="size-4" />
              Settings
            </LinkButton>
          </>
        }
      />
      {(isFiltered || counts.all > 0) && (
        <div className="mb-6 flex flex-col gap-1">
          <FilterTabs
            label="State"
            options={[
              {
                href: href({ unread: undefined }),
                text: "All",
                count: counts.all,
                current: filter.unread === undefined,
              },
              {
                href: href({ unread: "1" }),
                text: "Unread",
                count: counts.unread,
                current: filter.unread === "1",
              },
            ].map((option) => ({ ...option, most: MOST_COUNTED }))}
          />
          <FilterTabs
            label="Kind"
            options={[
              { href: href({ kind: undefined }), text: "All kinds", current: filter.kind === undefined },
              ...kinds.map(({ kind }) => ({
                href: href({ kind }),
                text: NOTIFICATION_KINDS[kind].title,
                current: filter.kind === kind,
              })),
            ]}
          />
        </div>
      )}
      {notifications.length === 0 ? (
        <Card flush>
          <EmptyState icon={BellOff} title={isFiltered ? "No matching notifications" : "No notifications"}>
            {isFiltered
              ? "Try another filter."
              : "Reviews, errors, comments, and invitations that concern you appear here."}
          </EmptyState>
        </Card>
      ) : (
        <NotificationList notifications={notifications} />
      )}
      <Pager
        path="/notifications"
        query={query({})}
        pages={pages}
        total={`${formatCount(filter.unread === undefined ? counts.all : counts.unread, MOST_COUNTED)} notifications`}
      />
    </>
  );
});
