import type { Metadata } from "next";
import { Layers } from "lucide-react";
import { StateFilter } from "@/components/installation/state-filter";
import { Badge, StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { RelativeTime } from "@/components/ui/relative-time";
import { SearchForm } from "@/components/ui/search-form";
import { Table, TableBody, TableCell, TableHead } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { listInstallations } from "@/lib/server/installations/list-installations";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Installations" };

export default page("/installations", async ({ platform, member, searchParams }) => {
  const { q: search = "", state = "", after } = searchParams;
  const { installations, next } = await listInstallations(platform, member, { search, state, before: after });
  const query = { ...(search === "" ? {} : { q: search }), ...(state === "" ? {} : { state }) };
  const filtered = search !== "" || state !== "" || after !== undefined;
  return (
    <>
      <PageHeader title="Installations" description="The apps that run for your tenants." />
      {(installations.length > 0 || filtered) && (
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchForm
            path="/installations"
            label="Search apps and tenants"
            value={search}
            keep={state === "" ? {} : { state }}
          />
          <StateFilter state={state} search={search} />
        </div>
      )}
      <Card flush>
        {installations.length === 0 ? (
          <NoInstallations filtered={filtered} />
        ) : (
          <Table label="Installations">
            <TableHead columns={["App", "State", "Tenant", "Version", "Launched"]} />
            <TableBody>
              {installations.map((installation) => (
                <tr key={installation.id} className="hover:bg-subtle">
                  <TableCell className="min-w-40">
                    <TextLink href={`/installations/${installation.id}`} className="font-medium">
                      {installation.title}
                    </TextLink>
                    <span className="block text-xs text-ink-faint">
                      {installation.publisherSlug}/{installation.appName}
                    </span>
                  </TableCell>
                  <TableCell>
                    <span className="flex flex-wrap gap-1.5">
                      <StateBadge state={installation.state} />
                      {installation.test && <Badge tone="warning">Test</Badge>}
                    </span>
                  </TableCell>
                  <TableCell className="min-w-36">
                    {installation.tenantName}
                    <span className="block text-xs break-all text-ink-faint">
                      {installation.tenantHostName}
                    </span>
                  </TableCell>
                  <TableCell className="tabular-nums">{installation.number}</TableCell>
                  <TableCell className="whitespace-nowrap text-ink-soft">
                    <RelativeTime at={installation.createdAt} />
                  </TableCell>
                </tr>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager path="/installations" query={query} next={next} started={after !== undefined} />
    </>
  );
});

function NoInstallations({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        icon={Layers}
        title="Nothing fits"
        action={<LinkButton href="/installations">Show all</LinkButton>}
      >
        No installation fits the search and the filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Layers}
      title="Nothing is installed yet"
      action={
        <LinkButton tone="primary" href="/marketplace">
          Open the marketplace
        </LinkButton>
      }
    >
      Choose an app, configure it, and it runs for your tenant within seconds.
    </EmptyState>
  );
}
