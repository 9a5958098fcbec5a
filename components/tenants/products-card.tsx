"use client";

import { useMutation } from "@tanstack/react-query";
import { Boxes, ChevronRight, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyPart } from "@/components/ui/lazy-part";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { callApi } from "@/lib/client/api";
import type { TenantProduct, TenantView } from "@/lib/contract/tenant-view";
import { ReadNotice } from "./tenant-card";
import { Button as AriaButton } from "react-aria-components";
import { UserText } from "@/components/ui/user-text";

const ProductBody = lazyPart(
  async () => (await import("./product-body")).ProductBody,
  <Skeleton className="h-64 w-full" />,
);

/** The tenant's products as last read from the core, each with its schema. */
export function ProductsCard({ tenant }: { tenant: TenantView }) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const { products } = tenant;
  const [first] = products;
  const refresh = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/tenants/${tenant.id}/products`, {
        answer: async () => (await import("@/lib/contract/core")).productsRead,
      }),
    // A core that can't be read changes the connection status too.
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
            Last read <RelativeTime at={first.refreshedAt} />.
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
            <Notice tone={news ? "info" : "success"} title={news ? "Products changed" : "No changes"}>
              <ReadNotice read={changes} />
              {news && " Check the mappings of the apps installed here."}
            </Notice>
          )}
          <ProblemNotice error={refresh.error} />
        </div>
      )}
      {products.length === 0 ? (
        <div className="border-t border-line">
          <EmptyState icon={Boxes} title="No products">
            The core has no products. Deploy one there, then refresh.
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

/** A product that expands to its fields, its sample data, and its JSON Schema. */
function ProductRow({ product }: { product: TenantProduct }) {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <li>
      <h3>
        <AriaButton
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          onPress={() => setOpen(!open)}
          className="flex w-full cursor-pointer items-center gap-2 px-4 py-3 text-left hover:bg-subtle focus-visible:-outline-offset-2 sm:px-6"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
            <UserText className="font-medium wrap-anywhere text-ink">{product.name}</UserText>
            <span className="text-[13px] text-ink-faint">
              changed <RelativeTime at={product.changedAt} />
            </span>
          </span>
        </AriaButton>
      </h3>
      {open && (
        <div id={body} className="px-4 pt-2 pb-4 sm:px-6">
          <ProductBody product={product} />
        </div>
      )}
    </li>
  );
}
