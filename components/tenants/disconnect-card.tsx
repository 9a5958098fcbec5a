"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { TextLink } from "@/components/ui/text-link";
import { UserText } from "@/components/ui/user-text";
import { callApi } from "@/lib/client/api";
import type { TenantView } from "@/lib/contract/tenant-view";

/** Disconnects the tenant, or says which apps must be uninstalled first. */
export function DisconnectCard({ tenant }: { tenant: TenantView }) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const { id, name, installations } = tenant;
  const disconnect = useMutation({
    mutationFn: () => callApi("DELETE", `/api/tenants/${id}`),
    onSuccess: () => {
      router.push("/tenants");
      router.refresh();
    },
  });
  const isFree = installations.length === 0;
  return (
    <Card
      title="Disconnect"
      description="Removes the tenant with its products and credentials. The record of its former installations stays."
      actions={
        isFree && (
          <Button
            size="small"
            tone="danger"
            onPress={() => {
              disconnect.reset();
              setAsking(true);
            }}
          >
            Disconnect
          </Button>
        )
      }
    >
      {isFree ? (
        <p className="text-[13px] leading-5 text-ink-soft">
          The core&apos;s credential stops working immediately. The host name can be connected again.
        </p>
      ) : (
        <div className="text-[13px] leading-5 text-ink-soft">
          <p>Uninstall the apps of this tenant first:</p>
          <ul className="mt-2 flex flex-col gap-1">
            {installations.map(({ id, title, test }) => (
              <li key={id}>
                <TextLink href={`/installations/${id}`}>
                  <UserText>{title}</UserText>
                </TextLink>
                {test && " (Test Launch)"}
              </li>
            ))}
          </ul>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Disconnect ${name}?`}
        typeToConfirm={name}
        confirmText="Disconnect"
        onConfirm={() => disconnect.mutate()}
        isPending={disconnect.isPending || disconnect.isSuccess}
        error={disconnect.error}
      >
        The core&apos;s events and calls are refused immediately, and the stored credential and products are
        deleted. This can&apos;t be undone; you can connect the tenant again as a new one.
      </ConfirmDialog>
    </Card>
  );
}
