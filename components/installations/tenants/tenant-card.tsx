"use client";

import { useMutation } from "@tanstack/react-query";
import { Boxes, ChevronRight, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { Card, EmptyState, Skeleton } from "@/components/ui/card";
import { FactList } from "@/components/ui/fact-list";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { TenantProduct, TenantView } from "@/lib/contract/installations/installation-view";
import type { ProductsRead } from "@/lib/contract/platform/core";

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
  return (
    <span translate="no" className="font-mono text-small wrap-anywhere">
      {children}
    </span>
  );
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
function ReadNotice({ read }: { read: ProductsRead }) {
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
        answer: async () => (await import("@/lib/contract/platform/core")).productsRead,
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
            <span className="text-small text-ink-faint">
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
