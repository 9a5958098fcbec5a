"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical, Network, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { LaunchTenant } from "./launch-offer";

const sandboxed = z.object({ tenantId: z.uuid() });

interface TenantToolsProps {
  tenants: readonly LaunchTenant[];
  /** The chosen one. */
  tenant: LaunchTenant | undefined;
  mayConnect: boolean;
  /** In a Test Launch, by a publisher. */
  maySandbox: boolean;
  /** This page's address, to come back to. */
  here: string;
  onChoose: (tenantId: string) => void;
}

/** Reads the chosen tenant's products again, connects another tenant, or makes a sandbox. */
export function TenantTools({ tenants, tenant, mayConnect, maySandbox, here, onChoose }: TenantToolsProps) {
  const router = useRouter();
  const refresh = useMutation({
    mutationFn: (tenantId: string) => callApi("POST", `/api/tenants/${tenantId}/products`),
    onSuccess: () => router.refresh(),
  });
  const sandbox = useMutation({
    mutationFn: () => callApi("POST", "/api/tenants/sandbox", { answer: sandboxed }),
    onSuccess: ({ tenantId }) => {
      onChoose(tenantId);
      router.refresh();
    },
  });
  const offersSandbox = maySandbox && tenants.every((each) => each.sandbox !== true);
  const buttons = (
    <>
      {tenant !== undefined && (
        <Button size="small" isPending={refresh.isPending} onPress={() => refresh.mutate(tenant.id)}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh products
        </Button>
      )}
      {mayConnect && (
        <LinkButton
          size={tenants.length === 0 ? "medium" : "small"}
          tone={tenants.length === 0 ? "primary" : "secondary"}
          href={`/tenants/new?return=${encodeURIComponent(here)}`}
        >
          <Network aria-hidden className="size-4" />
          {tenants.length === 0 ? "Connect a tenant" : "Connect another tenant"}
        </LinkButton>
      )}
      {offersSandbox && (
        <Button
          size={tenants.length === 0 ? "medium" : "small"}
          isPending={sandbox.isPending}
          onPress={() => sandbox.mutate()}
        >
          <FlaskConical aria-hidden className="size-4" />
          Use a sandbox
        </Button>
      )}
    </>
  );
  return (
    <>
      {tenants.length === 0 ? (
        <EmptyState icon={Network} title="Connect a tenant first" action={buttons}>
          An app is launched for a tenant of your policy system.{" "}
          {mayConnect ? "It takes a minute." : "Ask an owner of your organization to connect one."}
          {offersSandbox &&
            " Or try it on a sandbox: a tenant of the platform's own core, with example products."}
        </EmptyState>
      ) : (
        <div className="flex flex-wrap gap-2">{buttons}</div>
      )}
      <span role="status" className="sr-only">
        {refresh.isSuccess ? "The products were read again." : ""}
        {sandbox.isSuccess ? "The sandbox is connected and chosen." : ""}
      </span>
      <ProblemNotice error={refresh.error ?? sandbox.error} />
    </>
  );
}
