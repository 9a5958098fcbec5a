"use client";

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { ConnectionTest } from "@/lib/contract/core";
import type { TenantView } from "@/lib/contract/tenant-view";
import { ConnectionBadge } from "./connection-result";
import { ConnectionSteps } from "./connection-result";

/** The last test of the connection, step by step, and a button to test again. */
export function ConnectionCard({ tenant }: { tenant: TenantView }) {
  const router = useRouter();
  const test = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/tenants/${tenant.id}/connection`, {
        answer: async () => (await import("@/lib/contract/core")).connectionTest,
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
          <p className="text-[13px] leading-5 text-ink-soft">
            A test checks the address, the sign-in, and the products, and shows what is wrong.
          </p>
        ) : (
          <>
            <div>
              <ConnectionBadge connection={connection} />
            </div>
            <ConnectionSteps test={test.isPending ? undefined : (connection ?? undefined)} />
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
