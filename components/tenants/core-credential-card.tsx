"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { callApi } from "@/lib/client/api";
import type { TenantView } from "@/lib/contract/tenant-view";
import { CodeBlock } from "@/components/ui/code-block";

const renewed = z.object({ coreCredential: z.string() });

interface CoreCredentialCardProps {
  tenant: TenantView;
  eventsAddress: string;
}

/** The credential that the core signs in with here; shown only when it is new. */
export function CoreCredentialCard({ tenant, eventsAddress }: CoreCredentialCardProps) {
  const [asking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/tenants/${tenant.id}/core-credentials`, {
        body: { overlap: "now" },
        answer: renewed,
      }),
    // The credential is in the mutation's result and must not outlive this page in the cache.
    gcTime: 0,
    onSuccess: () => setAsking(false),
  });
  return (
    <Card
      title="The core's credential"
      description="The core uses it to send events and call apps. Only a hash of it is stored."
      actions={
        renew.data === undefined && (
          <Button
            size="small"
            onPress={() => {
              renew.reset();
              setAsking(true);
            }}
          >
            Renew
          </Button>
        )
      }
    >
      {renew.data === undefined ? (
        <p className="text-[13px] leading-5 text-ink-soft">
          Renew it if it is lost or somebody else may know it. The old one stops working immediately.
        </p>
      ) : (
        <div className="flex flex-col gap-5">
          <Notice tone="warning" title="Store it in the core now">
            You won&apos;t see it again. The core&apos;s calls are refused until it uses the new credential.
          </Notice>
          <CoreCredentialShown {...renew.data} eventsAddress={eventsAddress} />
          <div className="flex justify-end">
            <Button onPress={renew.reset}>Done</Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={setAsking}
        title="Renew the core's credential?"
        typeToConfirm={tenant.name}
        confirmText="Renew"
        onConfirm={() => renew.mutate()}
        isPending={renew.isPending}
        error={renew.error}
      >
        The current credential stops working immediately. The core&apos;s events and calls are refused until
        you store the new one there. This can&apos;t be undone.
      </ConfirmDialog>
    </Card>
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
          The core sends it as <code className="font-mono text-[13px]">Authorization: Bearer …</code> when it
          sends events here and when it calls an app&apos;s routes:
        </p>
        <CodeBlock label="events address" code={`POST ${eventsAddress}`} wrap />
      </div>
    </div>
  );
}
