import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { ApiKeyTable } from "@/components/accounts/organization/api-key-table";
import { NewApiKey } from "@/components/accounts/organization/new-api-key";
import { Downloads } from "@/components/platform/downloads";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, PageHeader, Pager, SortTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { loginCommand } from "@/lib/contract/catalog/publish-commands";
import { listApiKeys } from "@/lib/server/accounts/credentials/manage-api-keys";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "API Keys" };

const PATH = "/organization/api-keys";

const SORTS = [
  { sort: "newest", text: "Newest" },
  { sort: "used", text: "Last used" },
  { sort: "expires", text: "Expires next" },
] as const;

export default page("/organization/api-keys", async ({ platform, member, searchParams }) => {
  const { q = "", state, after } = searchParams;
  const { apiKeys, ended, sort, counts, ...pages } = await listApiKeys(platform, member, {
    search: q,
    state,
    sort: searchParams.sort,
    after,
  });
  const searched: Record<string, string> = q === "" ? {} : { q };
  const chosen: Record<string, string> = ended ? { state: "ended" } : {};
  const sorted: Record<string, string> = sort === "newest" ? {} : { sort };
  const query = { ...searched, ...chosen, ...sorted };
  const total = ended ? counts.ended : counts.working;
  const none = counts.working + counts.ended === 0 && q === "";
  return (
    <>
      <PageHeader
        title="API Keys"
        description={`Publish apps of ${member.organization.name} from the command line. Use a separate key per machine.`}
      />
      <NewApiKey />
      {!none && (
        <div className="mt-8 mb-4 flex flex-wrap items-center gap-3">
          <SearchForm path={PATH} label="Search keys" value={q} keep={{ ...chosen, ...sorted }} />
          <FilterTabs
            label="State"
            options={[
              ["Working", {}, counts.working, !ended] as const,
              ["Expired and revoked", { state: "ended" }, counts.ended, ended] as const,
            ].map(([text, filter, count, current]) => ({
              href: `${PATH}?${new URLSearchParams({ ...searched, ...filter, ...sorted })}`,
              ...{ text, count, current },
            }))}
          />
          {total > 1 && (
            <SortTabs path={PATH} query={{ ...searched, ...chosen }} sorts={SORTS} current={sort} />
          )}
          <div className="flex flex-wrap gap-1 sm:ml-auto">
            <Downloads
              path={`/api${PATH}/export`}
              query={query}
              organizationId={member.organization.id}
              what="keys"
            />
          </div>
        </div>
      )}
      <Card flush className={none ? "mt-6" : ""}>
        {apiKeys.length === 0 ? (
          <EmptyState
            icon={KeyRound}
            title={none ? "No API Keys yet" : q === "" ? "No keys in this state" : "No matching keys"}
            command={none ? loginCommand(platform.environment.PLATFORM_GATEWAY_URL) : undefined}
          >
            {none
              ? "Create one above, then sign in with its Client ID and API Key."
              : q === ""
                ? "Choose the other state to see the other keys."
                : "Search covers names and Client IDs. Keys in the other state are not shown."}
          </EmptyState>
        ) : (
          <ApiKeyTable apiKeys={apiKeys} />
        )}
      </Card>
      <Pager path={PATH} query={query} pages={pages} total={`${total.toLocaleString("en-US")} keys`} />
    </>
  );
});
