import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { NewApiKey } from "@/components/api-keys/new-api-key";
import { RevokeApiKeyButton } from "@/components/api-keys/revoke-api-key-button";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, SearchForm } from "@/components/ui/list-controls";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
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
          <EmptyState icon={KeyRound} title={none ? "No API Keys yet" : "No matching keys"}>
            {none
              ? "Create one above, then run “platform-app login” with its Client ID and API Key."
              : "Search covers names and Client IDs."}
          </EmptyState>
        ) : (
          <Table label="API Keys">
            <TableHead columns={["Name", "Client ID", "Created", "Last used", ""]} />
            <TableBody>
              {apiKeys.map((apiKey) => (
                <TableRow key={apiKey.id}>
                  <TableCell className="min-w-32 font-medium">{apiKey.name}</TableCell>
                  <TableCell label="Client ID" className="font-mono text-[13px]">
                    {apiKey.clientId}
                  </TableCell>
                  <TableCell label="Created" className="whitespace-nowrap text-ink-soft">
                    <RelativeTime at={apiKey.createdAt} />
                    <span className="block text-[13px] text-ink-faint">by {apiKey.createdBy}</span>
                  </TableCell>
                  <TableCell label="Last used" className="whitespace-nowrap text-ink-soft">
                    {apiKey.lastUsedAt === null ? "Never" : <RelativeTime at={apiKey.lastUsedAt} />}
                  </TableCell>
                  <TableCell className="text-right">
                    {apiKey.revokedAt === null ? (
                      <RevokeApiKeyButton apiKeyId={apiKey.id} name={apiKey.name} />
                    ) : (
                      <Badge tone="danger">Revoked</Badge>
                    )}
                  </TableCell>
                </TableRow>
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
