"use client";

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { TenantView } from "@/lib/contract/installations/installation-view";
import type { ConnectionTest } from "@/lib/contract/platform/core";
import { AppsNotice, ConnectionBadge, ConnectionSteps } from "./connection-result";

/** The last test of the connection, step by step, and a button to test again. */
export function ConnectionCard({ tenant }: { tenant: TenantView }) {
  const router = useRouter();
  const test = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/tenants/${tenant.id}/connection`, {
        answer: async () => (await import("@/lib/contract/platform/core")).connectionTest,
      }),
    onSuccess: () => router.refresh(),
  });
  const connection = newerTest(test.data, tenant.connection);
  return (
    <Card
      title="Connection"
      description={
        connection === null ? (
          "Not tested yet."
        ) : (
          <>
            Tested <RelativeTime at={connection.testedAt} />, in {connection.durationMs} ms.
          </>
        )
      }
      actions={
        <Button size="small" isPending={test.isPending} onPress={() => test.mutate()}>
          <PlugZap aria-hidden className="size-4" />
          Test connection
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {connection === null && !test.isPending ? (
          <p className="text-small leading-5 text-ink-soft">
            A test checks the address, the sign-in, and the products, and shows what is wrong.
          </p>
        ) : (
          <>
            <div>
              <ConnectionBadge connection={connection} />
            </div>
            <ConnectionSteps test={test.isPending ? undefined : (connection ?? undefined)} />
            {!test.isPending && <AppsNotice problem={connection?.appsProblem} />}
          </>
        )}
        <span role="status" className="sr-only">
          {test.data === undefined ? "" : test.data.ok ? "The connection works." : "The connection failed."}
        </span>
        <ProblemNotice error={test.error} />
      </div>
    </Card>
  );
}

/** After a test, the page refreshes a moment later. */
function newerTest(made: ConnectionTest | undefined, read: ConnectionTest | null): ConnectionTest | null {
  if (made === undefined) return read;
  return read !== null && read.testedAt > made.testedAt ? read : made;
}

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
      description="Removes the tenant with its products and credentials. The record of its former installations is kept."
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
        <p className="text-small leading-5 text-ink-soft">
          The core&apos;s credential stops working immediately. The host name can be connected again.
        </p>
      ) : (
        <div className="text-small leading-5 text-ink-soft">
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
