import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { API_KEY_COLUMNS, ApiKeyRow } from "@/components/api-keys/api-key-row";
import { NewApiKey } from "@/components/api-keys/new-api-key";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, SearchForm } from "@/components/ui/list-controls";
import { Table, TableBody, TableHead } from "@/components/ui/table";
import { loginCommand } from "@/lib/contract/publish-commands";
import { listApiKeys } from "@/lib/server/api-keys/manage-api-keys";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "API Keys" };

export default page("/organization/api-keys", async ({ platform, member, searchParams }) => {
  const { q = "", after } = searchParams;
  const { apiKeys, next } = await listApiKeys(platform, member, { search: q, after });
  const none = apiKeys.length === 0 && q === "" && after === undefined;
  return (
    <>
      <PageHeader
        title="API Keys"
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
            title={none ? "No API Keys yet" : "No matching keys"}
            command={none ? loginCommand(platform.environment.PLATFORM_GATEWAY_URL) : undefined}
          >
            {none
              ? "Create one above, then log in with its Client ID and API Key."
              : "Search covers names and Client IDs."}
          </EmptyState>
        ) : (
          <Table label="API Keys">
            <TableHead columns={API_KEY_COLUMNS} />
            <TableBody>
              {apiKeys.map((apiKey) => (
                <ApiKeyRow key={apiKey.id} apiKey={apiKey} />
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager
        path="/organization/api-keys"
        query={q === "" ? {} : { q }}
        next={next}
        started={after !== undefined}
      />
    </>
  );
});
