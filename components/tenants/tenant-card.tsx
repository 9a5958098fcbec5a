"use client";

import { useState } from "react";
import { FactList } from "@/components/installation/fact-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ProductsRead } from "@/lib/contract/core";
import type { TenantView } from "@/lib/contract/tenant-view";
import { TenantEditForm } from "./tenant-edit-form";
import { UserText } from "@/components/ui/user-text";

interface TenantCardProps {
  tenant: TenantView;
  mayEdit: boolean;
  keysAddress: string;
}

/** What the tenant is, and for an owner the form that changes it. */
export function TenantCard({ tenant, mayEdit, keysAddress }: TenantCardProps) {
  const [mode, setMode] = useState<"facts" | "form" | "facts-again">("facts");
  const [saved, setSaved] = useState<ProductsRead>();
  if (mode === "form")
    return (
      <Card title="Edit the tenant" description="The core is read first: nothing is saved if it cannot be.">
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
          // Whoever worked in the form goes on where it was opened.
          <Button size="small" autoFocus={mode === "facts-again"} onPress={edit}>
            Edit
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {saved !== undefined && (
          <Notice tone="success" title="Saved">
            Calls from now on get what is written here. <ReadNotice read={saved} />
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
  if (sandbox) return "The platform's own core asks for none.";
  if (!credential.configured)
    return <span className="text-ink-soft">None: the core takes the platform&apos;s token alone.</span>;
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
  ["removed", "Gone"],
] as const;

/** What reading the products again found, in a sentence for each kind of change. */
export function ReadNotice({ read }: { read: ProductsRead }) {
  const found = KINDS.filter(([kind]) => read[kind].length > 0);
  if (found.length === 0) return <>The core lists what it listed before.</>;
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
