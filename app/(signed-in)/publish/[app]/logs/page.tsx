import { Package } from "lucide-react";
import { cache } from "react";
import { AppLog } from "@/components/insight/logs/app-log";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { PageHeader } from "@/components/ui/page-header";
import { publishCommands } from "@/lib/contract/catalog/publish-commands";
import { readLogFilter } from "@/lib/contract/insight/filters";
import { openLog } from "@/lib/server/insight/logs/read-log";
import { readOwnTitle } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";

const readTitle = cache(readOwnTitle);

export const generateMetadata = titled(
  "/publish/[app]/logs",
  "Listings",
  async ({ platform, member, params }) => `Logs of ${await readTitle(platform, member, params.app ?? "")}`,
);

export default page("/publish/[app]/logs", async ({ platform, member, params, searchParams }) => {
  const filter = readLogFilter(searchParams);
  const { listing, versions, current, first } = await openLog(
    platform,
    member,
    params.app ?? "",
    searchParams.version,
    filter,
  );
  const { PLATFORM_KEEP_LOGS_DAYS: days, PLATFORM_KEEP_LOGS_MB: megabytes } = platform.environment;
  return (
    <>
      <PageHeader
        back={{ href: `/publish/${listing.appName}`, text: listing.title }}
        title="Logs"
        description="What the instances of each version write to stdout and stderr. Customers' secrets are removed, and only your organization sees the lines."
      />
      {current === undefined || first === undefined ? (
        <Card>
          <EmptyState
            icon={Package}
            title="No versions yet"
            command={publishCommands(`${listing.organizationSlug}/${listing.appName}`).publish}
            action={<LinkButton href={`/publish/${listing.appName}`}>Show how to publish</LinkButton>}
          >
            Publish a version and start a Test Launch. What the app writes then appears here.
          </EmptyState>
        </Card>
      ) : (
        <AppLog
          listing={{ id: listing.id, appName: listing.appName }}
          versions={versions}
          first={{ page: first, versionId: current.id, filter }}
          kept={{ days, megabytes }}
        />
      )}
    </>
  );
});
