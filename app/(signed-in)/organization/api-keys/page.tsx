import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { ApiKeyTable } from "@/components/accounts/organization/api-key-table";
import { NewApiKey } from "@/components/accounts/organization/new-api-key";
import { Card, EmptyState } from "@/components/ui/card";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { loginCommand } from "@/lib/contract/catalog/publish-commands";
import { listApiKeys } from "@/lib/server/accounts/credentials/manage-api-keys";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "API keys" };

export default page("/organization/api-keys", async ({ platform, member, searchParams }) => {
  const { q = "", after } = searchParams;
  const { apiKeys, ...pages } = await listApiKeys(platform, member, { search: q, after });
  const none = apiKeys.length === 0 && q === "" && after === undefined;
  return (
    <>
      <PageHeader
        title="API keys"
        description={`Publish apps of ${member.organization.name} from the command line. Use a separate key per machine.`}
      />
      <NewApiKey />
      {!none && (
        <div className="mt-8 mb-4">
          <SearchForm path="/organization/api-keys" label="Search keys" value={q} />
        </div>
      )}
      <Card flush className={none ? "mt-6" : ""}>
        {apiKeys.length === 0 ? (
          <EmptyState
            icon={KeyRound}
            title={none ? "No API keys yet" : "No matching keys"}
            command={none ? loginCommand(platform.environment.PLATFORM_GATEWAY_URL) : undefined}
          >
            {none
              ? "Create one above, then sign in with its client ID and API key."
              : "Search covers names and client IDs."}
          </EmptyState>
        ) : (
          <ApiKeyTable apiKeys={apiKeys} />
        )}
      </Card>
      <Pager path="/organization/api-keys" query={q === "" ? {} : { q }} pages={pages} />
    </>
  );
});
