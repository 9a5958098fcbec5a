"use client";

import { Badge, type Tone } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { API_KEY_SCOPES, type ApiKeyScope } from "@/lib/contract/accounts/api-key-scope";
import type { ApiKeyState } from "@/lib/domain/accounts/organization";
import { RevokeApiKeyButton, RotateApiKeyButton } from "./api-key-actions";

interface ApiKeyView {
  id: string;
  name: string;
  clientId: string;
  scopes: readonly ApiKeyScope[];
  createdBy: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedFrom: string;
  state: ApiKeyState;
}

const COLUMNS = ["Name", "Scopes", "Created", "Last used", "Expires", ""];

const STATES: Record<ApiKeyState, readonly [Tone, string] | undefined> = {
  ACTIVE: undefined,
  EXPIRES_SOON: ["warning", "Expires soon"],
  EXPIRED: ["neutral", "Expired"],
  REVOKED: ["danger", "Revoked"],
};

export function ApiKeyTable({ apiKeys }: { apiKeys: readonly ApiKeyView[] }) {
  return (
    <Table label="API keys">
      <TableHead columns={COLUMNS} />
      <TableBody>
        {apiKeys.map((apiKey) => (
          <ApiKeyRow key={apiKey.id} apiKey={apiKey} />
        ))}
      </TableBody>
    </Table>
  );
}

function ApiKeyRow({ apiKey }: { apiKey: ApiKeyView }) {
  const { id, name, clientId, scopes, createdBy, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = apiKey;
  const badge = STATES[apiKey.state];
  const works = apiKey.state === "ACTIVE" || apiKey.state === "EXPIRES_SOON";
  return (
    <TableRow>
      <TableCell className="min-w-40">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span translate="no" className="block font-mono text-xs wrap-anywhere text-ink-faint">
          {clientId}
        </span>
      </TableCell>
      <TableCell label="Scopes" className="text-small text-ink-soft">
        {scopes.length === API_KEY_SCOPES.length
          ? "All"
          : scopes.map((scope) => (
              <code translate="no" key={scope} className="block font-mono text-xs whitespace-nowrap">
                {scope}
              </code>
            ))}
      </TableCell>
      <TableCell label="Created" className="whitespace-nowrap text-ink-soft">
        <RelativeTime at={createdAt} />
        <span className="block max-w-32 truncate text-small text-ink-faint" title={createdBy}>
          by {createdBy}
        </span>
      </TableCell>
      <TableCell label="Last used" className="text-ink-soft">
        {lastUsedAt === null ? "Never" : <RelativeTime at={lastUsedAt} />}
        {lastUsedFrom !== "" && (
          <span translate="no" className="block font-mono text-xs wrap-anywhere text-ink-faint">
            from {lastUsedFrom}
          </span>
        )}
      </TableCell>
      <TableCell label="Expires" className="whitespace-nowrap text-ink-soft">
        {badge === undefined ? null : <Badge tone={badge[0]}>{badge[1]}</Badge>}
        {apiKey.state !== "REVOKED" &&
          (expiresAt === null ? (
            "Never"
          ) : (
            <span className={badge === undefined ? "" : "block pt-1 text-small"}>
              <RelativeTime at={expiresAt} />
            </span>
          ))}
      </TableCell>
      <TableCell className="text-right">
        {works && (
          <span className="inline-flex gap-2">
            <RotateApiKeyButton apiKeyId={id} name={name} />
            <RevokeApiKeyButton apiKeyId={id} name={name} />
          </span>
        )}
      </TableCell>
    </TableRow>
  );
}
