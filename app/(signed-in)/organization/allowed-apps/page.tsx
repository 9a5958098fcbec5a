import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import { AllowButton } from "@/components/installations/requests/launch-rules";
import { StateBadge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import { listAllowedApps, readLaunchRules } from "@/lib/server/installations/requests/launch-rules";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Allowed apps" };

const PATH = "/organization/allowed-apps";

export default page("/organization/allowed-apps", async ({ platform, member, searchParams }) => {
  const { q, after } = searchParams;
  const [{ apps, search, total, pages }, { onlyAllowedApps }] = await Promise.all([
    listAllowedApps(platform, member, { q, after }),
    readLaunchRules(platform, member),
  ]);
  const mayChange = member.organization.role === "owner";
  const isLong = search !== "" || !pages.isFirst || pages.next !== undefined;
  return (
    <>
      <PageHeader
        back={{ href: "/organization/settings", text: "Settings" }}
        title="Allowed apps"
        description={`The apps that members of ${member.organization.name} may launch.`}
      />
      {!onlyAllowedApps && (
        <Notice className="mb-6" title="All apps are allowed now">
          This list applies once an owner turns on “Only allowed apps” in the settings.
        </Notice>
      )}
      {isLong && (
        <div className="mb-4">
          <SearchForm path={PATH} label="Search apps and publishers" value={search} />
        </div>
      )}
      <Card flush>
        {apps.length === 0 ? (
          <EmptyState
            icon={ListChecks}
            title={search === "" ? "No apps yet" : "No matches"}
            action={<LinkButton href="/marketplace">Open the marketplace</LinkButton>}
          >
            {search === ""
              ? "Owners add an app on its page in the marketplace, or by approving a request for it."
              : "No allowed app matches this search."}
          </EmptyState>
        ) : (
          <Table label="Allowed apps">
            <TableHead columns={["App", "Publisher", "Allowed", ...(mayChange ? [""] : [])]} />
            <TableBody>
              {apps.map((app) => (
                <TableRow key={app.id}>
                  <TableCell className="min-w-40">
                    <TextLink
                      href={`/marketplace/${app.publisherSlug}/${app.appName}`}
                      standalone
                      className="font-medium wrap-anywhere"
                    >
                      <UserText>{app.title}</UserText>
                    </TextLink>{" "}
                    {app.state !== "PUBLIC" && <StateBadge state={app.state} />}
                  </TableCell>
                  <TableCell label="Publisher">
                    <UserText>{app.publisherName}</UserText>
                  </TableCell>
                  <TableCell label="Allowed" className="text-ink-soft">
                    <RelativeTime at={app.createdAt} /> by <UserText>{app.allowedBy}</UserText>
                  </TableCell>
                  {mayChange && (
                    <TableCell>
                      <AllowButton listingId={app.id} isAllowed title={app.title} />
                    </TableCell>
                  )}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager
        path={PATH}
        query={search === "" ? {} : { q: search }}
        pages={pages}
        total={`${total.toLocaleString("en-US")} apps`}
      />
    </>
  );
});
