import { Package } from "lucide-react";
import { AppLog } from "@/components/insight/logs/app-log";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { publishCommands } from "@/lib/contract/catalog/publish-commands";
import { readLogFilter } from "@/lib/contract/insight/filters";
import { openLog } from "@/lib/server/insight/logs/read-log";
import { page, titled } from "@/lib/server/surface/web/page";
import { nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/logs", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Logs"),
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
      <p className="mb-4 text-small leading-5 text-ink-soft">
        What each version writes to stdout and stderr. Customers&apos; secrets are removed, and only your
        organization sees the lines.
      </p>
      {current === undefined || first === undefined ? (
        <Card>
          <EmptyState
            icon={Package}
            title="No versions yet"
            command={publishCommands(`${listing.organizationSlug}/${listing.appName}`).publish}
            action={
              <LinkButton href={`/publish/${listing.appName}/versions`}>Show how to publish</LinkButton>
            }
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
