"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical, Network, RefreshCw } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { Label, RadioGroup } from "react-aria-components";
import type { LaunchTenant } from "@/components/catalog/configuration-form/launch-draft";
import { useWizard } from "@/components/catalog/configuration-form/wizard";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/card";
import { ChoiceCard } from "@/components/ui/forms/choices";
import { LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

interface TenantStepProps {
  mayConnect: boolean;
  /** In a Test Launch, by a publisher. */
  mayUseSandbox: boolean;
  onChoose: (tenantId: string) => void;
}

export function TenantStep(props: TenantStepProps) {
  const { offer, tenant } = useWizard();
  const selectable = offer.tenants.filter(({ installedAs }) => installedAs === undefined);
  const installed = offer.tenants.filter(({ installedAs }) => installedAs !== undefined);
  return (
    <>
      {selectable.length > 0 && (
        <RadioGroup
          value={tenant?.id ?? null}
          onChange={props.onChoose}
          isRequired
          data-pointer="/tenantId"
          className="flex flex-col gap-2"
        >
          <Label className="mb-1 text-small font-medium text-ink">Which tenant is it for?</Label>
          {selectable.map((each) => (
            <TenantOption key={each.id} tenant={each} />
          ))}
        </RadioGroup>
      )}
      {installed.length > 0 && <InstalledTenants tenants={installed} />}
      {selectable.length === 0 && installed.length > 0 && (
        <p className="text-ink-soft">
          All of your tenants have this app. Connect another tenant to launch it there.
        </p>
      )}
      <TenantTools {...props} />
    </>
  );
}

/** A tenant can have one installation of an app: these lead to it. */
function InstalledTenants({ tenants }: { tenants: readonly LaunchTenant[] }) {
  return (
    <section aria-labelledby="installed-tenants">
      <h3 id="installed-tenants" className="mb-2 text-small font-medium text-ink">
        Already installed
      </h3>
      <ul className="divide-y divide-line rounded-field border border-line">
        {tenants.map(({ id, name, hostName, sandbox, installedAs }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere text-ink">
                {name}
                {sandbox === true && <Badge tone="warning">Sandbox</Badge>}
              </span>
              <span translate="no" className="block font-mono text-xs wrap-anywhere text-ink-soft">
                {hostName}
              </span>
            </span>
            <LinkButton size="small" href={`/installations/${installedAs}`} aria-label={`Open for ${name}`}>
              Open
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small leading-5 text-ink-faint">
        A tenant can have one installation of an app.
      </p>
    </section>
  );
}

function TenantOption({ tenant }: { tenant: LaunchTenant }) {
  const { id, name, hostName, sandbox } = tenant;
  return (
    <ChoiceCard value={id}>
      <span className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere text-ink">
        {name}
        {sandbox === true && <Badge tone="warning">Sandbox</Badge>}
      </span>
      <span translate="no" className="block font-mono text-xs wrap-anywhere text-ink-soft">
        {hostName}
      </span>
      <span className="block text-xs wrap-anywhere text-ink-soft">{listProducts(tenant)}</span>
    </ChoiceCard>
  );
}

const NAMED = 8;

function listProducts({ products }: LaunchTenant): string {
  if (products.length === 0) return "No products";
  const names = products.slice(0, NAMED).map((product) => product.name);
  const rest = products.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}

/** Reads the selected tenant's products again, connects another tenant, or creates a sandbox. */
function TenantTools({ mayConnect, mayUseSandbox, onChoose }: TenantStepProps) {
  const { offer, tenant } = useWizard();
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const here = search.size === 0 ? pathname : `${pathname}?${search}`;
  const refresh = useMutation({
    mutationFn: (tenantId: string) => callApi("POST", `/api/tenants/${tenantId}/products`),
    onSuccess: () => router.refresh(),
  });
  const sandbox = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/tenants/sandbox", {
        answer: async () => (await import("@/lib/contract/platform/core")).createdTenant,
      }),
    onSuccess: ({ tenantId }) => {
      onChoose(tenantId);
      router.refresh();
    },
  });
  const isFirst = offer.tenants.length === 0;
  const offersSandbox = mayUseSandbox && offer.tenants.every((each) => each.sandbox !== true);
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
          size={isFirst ? "medium" : "small"}
          tone={isFirst ? "primary" : "secondary"}
          href={`/tenants/new?return=${encodeURIComponent(here)}`}
        >
          <Network aria-hidden className="size-4" />
          {isFirst ? "Connect a tenant" : "Connect another tenant"}
        </LinkButton>
      )}
      {offersSandbox && (
        <Button
          size={isFirst ? "medium" : "small"}
          isPending={sandbox.isPending}
          onPress={() => sandbox.mutate()}
        >
          <FlaskConical aria-hidden className="size-4" />
          Create sandbox
        </Button>
      )}
    </>
  );
  return (
    <>
      {isFirst ? (
        <EmptyState icon={Network} title="Connect a tenant first" action={buttons}>
          An app is launched for a tenant of your policy system.{" "}
          {mayConnect
            ? "Connecting one takes a minute."
            : "Ask an owner of your organization to connect one."}
          {offersSandbox &&
            " Or try the app in a sandbox: a tenant of the platform's own core with example products."}
        </EmptyState>
      ) : (
        <div className="flex flex-wrap gap-2">{buttons}</div>
      )}
      <span role="status" className="sr-only">
        {refresh.isSuccess ? "Products refreshed." : ""}
        {sandbox.isSuccess ? "Sandbox created and selected." : ""}
      </span>
      <ProblemNotice error={refresh.error ?? sandbox.error} />
    </>
  );
}
