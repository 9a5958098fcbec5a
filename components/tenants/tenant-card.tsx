"use client";

import { useState } from "react";
import { FactList } from "@/components/installation/fact-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { ProductsRead } from "@/lib/contract/core";
import type { TenantView } from "@/lib/contract/tenant-view";
import { UserText } from "@/components/ui/user-text";

const TenantEditForm = lazyPart(
  async () => (await import("./tenant-edit-form")).TenantEditForm,
  <Skeleton className="h-96 w-full" />,
);

interface TenantCardProps {
  tenant: TenantView;
  mayEdit: boolean;
  keysAddress: string;
}

/** The tenant's details, and for owners the form to change them. */
export function TenantCard({ tenant, mayEdit, keysAddress }: TenantCardProps) {
  const [mode, setMode] = useState<"facts" | "form" | "facts-again">("facts");
  const [saved, setSaved] = useState<ProductsRead>();
  if (mode === "form")
    return (
      <Card title="Edit tenant" description="Saved only if the products can be read with the new values.">
        <TenantEditForm
          tenant={tenant}
          keysAddress={keysAddress}
          onCancel={() => setMode("facts-again")}
          onSaved={(read) => {
            setSaved(read);
            setMode("facts-again");
          }}
        />
      </Card>
    );
  const edit = () => {
    setSaved(undefined);
    setMode("form");
  };
  return (
    <Card
      title="Tenant"
      actions={
        mayEdit && (
          // After the form, the focus returns to the button that opened it.
          <Button size="small" autoFocus={mode === "facts-again"} onPress={edit}>
            Edit
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {saved !== undefined && (
          <Notice tone="success" title="Saved">
            Takes effect on the next call. <ReadNotice read={saved} />
          </Notice>
        )}
        <FactList
          rows={[
            { key: "name", name: "Name", value: tenant.name },
            { key: "host", name: "Host name", value: <Mono>{tenant.hostName}</Mono> },
            { key: "core", name: "Core API", value: <Mono>{tenant.coreApiUrl}</Mono> },
            { key: "credential", name: "Credential", value: <Credential {...tenant} /> },
            { key: "connected", name: "Connected", value: <RelativeTime at={tenant.connectedAt} /> },
          ]}
        />
      </div>
    </Card>
  );
}

function Mono({ children }: { children: string }) {
  return <span className="font-mono text-[13px] break-all">{children}</span>;
}

function Credential({ credential, sandbox }: TenantView) {
  if (sandbox) return "Not required by the platform's own core.";
  if (!credential.configured)
    return <span className="text-ink-soft">None. The core requires only the platform&apos;s token.</span>;
  return (
    <>
      Configured{" "}
      <span className="text-ink-faint">
        <RelativeTime at={credential.updatedAt} /> by {credential.by}
      </span>
    </>
  );
}

const KINDS = [
  ["added", "New"],
  ["changed", "Changed"],
  ["removed", "Removed"],
] as const;

/** What changed in the products, one sentence for each kind of change. */
export function ReadNotice({ read }: { read: ProductsRead }) {
  const found = KINDS.filter(([kind]) => read[kind].length > 0);
  if (found.length === 0) return <>The products are the same as before.</>;
  return found.map(([kind, word]) => (
    <span key={kind} className="block">
      {word}:{" "}
      {read[kind].map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <UserText className="font-medium text-ink">{name}</UserText>
        </span>
      ))}
      .
    </span>
  ));
}
