"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { OverlapField } from "@/components/ui/forms/select-field";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { Overlap } from "@/lib/contract/accounts/api-key";
import type { CoreCredentialView, TenantView } from "@/lib/contract/installations/installation-view";

interface CoreCredentialCardProps {
  tenant: TenantView;
  eventsAddress: string;
}

/** The credentials that the core signs in with here. A new one is shown once. */
export function CoreCredentialCard({ tenant, eventsAddress }: CoreCredentialCardProps) {
  const [asking, setAsking] = useState(false);
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const router = useRouter();
  const rotate = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/tenants/${tenant.id}/core-credentials`, {
        body: { overlap },
        answer: async () => (await import("@/lib/contract/platform/core")).rotatedCredential,
      }),
    // The credential is in the mutation's result and must not outlive this page in the cache.
    gcTime: 0,
    onSuccess: () => {
      setAsking(false);
      router.refresh();
    },
  });
  const ask = () => {
    rotate.reset();
    setOverlap("24h");
    setAsking(true);
  };
  return (
    <Card
      title="The core's credentials"
      description="The core signs in with one of them to send events and call apps. Only hashes of them are stored."
      actions={
        rotate.data === undefined && (
          <Button size="small" onPress={ask}>
            Rotate
          </Button>
        )
      }
      flush
    >
      {rotate.data !== undefined && (
        <div className="flex flex-col gap-5 border-t border-line p-4 sm:p-6">
          <Notice tone="warning" title="Store it in the core now">
            You won&apos;t see it again.
          </Notice>
          <CoreCredentialShown {...rotate.data} eventsAddress={eventsAddress} />
          <div className="flex justify-end">
            <Button onPress={rotate.reset}>Done</Button>
          </div>
        </div>
      )}
      {tenant.coreCredentials.length === 0 ? (
        <p className="border-t border-line p-4 text-small text-ink-soft sm:px-6">
          No credential works. The core&apos;s events and calls are refused. Rotate to create one.
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {tenant.coreCredentials.map((credential) => (
            <Credential key={credential.id} tenant={tenant} credential={credential} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={setAsking}
        title="Rotate the core's credential?"
        typeToConfirm={overlap === "now" ? tenant.name : undefined}
        confirmText="Rotate"
        tone={overlap === "now" ? "danger" : "primary"}
        onConfirm={() => rotate.mutate()}
        isPending={rotate.isPending}
        error={rotate.error}
      >
        <div className="flex flex-col gap-4">
          <p>You get a new credential. Until the overlap ends, the core can use either.</p>
          <OverlapField label="The current credentials stop working" value={overlap} onChange={setOverlap} />
          {overlap === "now" && (
            <p>The core&apos;s events and calls are refused until you store the new credential there.</p>
          )}
        </div>
      </ConfirmDialog>
    </Card>
  );
}

function Credential({ tenant, credential }: { tenant: TenantView; credential: CoreCredentialView }) {
  const { id, createdAt, expiresAt, lastUsedAt } = credential;
  const [asking, setAsking] = useState(false);
  const router = useRouter();
  const revoke = useMutation({
    mutationFn: () => callApi("DELETE", `/api/tenants/${tenant.id}/core-credentials/${id}`),
    onSuccess: () => {
      setAsking(false);
      router.refresh();
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-small sm:px-6">
      <Badge tone={expiresAt === null ? "success" : "warning"}>
        {expiresAt === null ? "Current" : "Ending"}
      </Badge>
      <p className="min-w-0 flex-1 text-ink-soft">
        Created <RelativeTime at={createdAt} /> ·{" "}
        {lastUsedAt === null ? (
          "never used"
        ) : (
          <>
            last used <RelativeTime at={lastUsedAt} />
          </>
        )}
        {expiresAt !== null && (
          <>
            {" · ends "}
            <RelativeTime at={expiresAt} />
          </>
        )}
      </p>
      <Button
        size="small"
        onPress={() => {
          revoke.reset();
          setAsking(true);
        }}
      >
        Revoke<span className="sr-only"> the {expiresAt === null ? "current" : "ending"} credential</span>
      </Button>
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={setAsking}
        title="Revoke this credential?"
        typeToConfirm={tenant.name}
        confirmText="Revoke"
        onConfirm={() => revoke.mutate()}
        isPending={revoke.isPending}
        error={revoke.error}
      >
        It stops working immediately. If the core still uses it, its events and calls are refused. This
        can&apos;t be undone.
      </ConfirmDialog>
    </li>
  );
}

/** The core's credential, and how the core uses it. */
export function CoreCredentialShown({
  coreCredential,
  eventsAddress,
}: {
  coreCredential: string;
  eventsAddress: string;
}) {
  return (
    <div className="flex flex-col gap-5">
      <CodeBlock label="credential" code={coreCredential} wrap />
      <div className="flex flex-col gap-2">
        <p className="text-ink-soft">
          The core sends it as{" "}
          <code translate="no" className="font-mono text-small">
            Authorization: Bearer …
          </code>{" "}
          when it sends events here and when it calls an app&apos;s routes:
        </p>
        <CodeBlock label="events address" code={`POST ${eventsAddress}`} wrap />
      </div>
    </div>
  );
}
