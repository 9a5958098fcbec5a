"use client";

import { useMutation } from "@tanstack/react-query";
import { Boxes, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import { productsRead } from "@/lib/contract/core";
import type { TenantView } from "@/lib/contract/tenant-view";
import { ProductRow } from "./product-row";
import { ReadNotice } from "./read-notice";

/** The tenant's products as the core listed them last, each with its schema. */
export function ProductsCard({ tenant }: { tenant: TenantView }) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const { products } = tenant;
  const [first] = products;
  const refresh = useMutation({
    mutationFn: () => callApi("POST", `/api/tenants/${tenant.id}/products`, { answer: productsRead }),
    // A core that cannot be read is a test of its connection too.
    onSettled: () => startRefresh(() => router.refresh()),
  });
  const changes = isRefreshing ? undefined : refresh.data;
  const news =
    changes !== undefined && changes.added.length + changes.removed.length + changes.changed.length > 0;
  return (
    <Card
      flush
      title="Products"
      description={
        first === undefined ? undefined : (
          <>
            Read <RelativeTime at={first.refreshedAt} />.
          </>
        )
      }
      actions={
        <Button size="small" isPending={refresh.isPending || isRefreshing} onPress={() => refresh.mutate()}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      }
    >
      {(changes !== undefined || refresh.isError) && (
        <div className="px-4 pb-4 sm:px-6">
          {changes !== undefined && (
            <Notice
              tone={news ? "info" : "success"}
              title={news ? "The products changed" : "Nothing changed"}
            >
              <ReadNotice read={changes} />
              {news && " Look at the mappings of what is installed here."}
            </Notice>
          )}
          <ProblemNotice error={refresh.error} />
        </div>
      )}
      {products.length === 0 ? (
        <div className="border-t border-line">
          <EmptyState icon={Boxes} title="The core lists no products">
            Deploy one there, then refresh.
          </EmptyState>
        </div>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {products.map((product) => (
            <ProductRow key={product.name} product={product} />
          ))}
        </ul>
      )}
    </Card>
  );
}
