"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical, Network, RefreshCw, Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useTransition } from "react";
import { Label, RadioGroup } from "react-aria-components";
import {
  hasFreeTenant,
  type LaunchTenant,
  type TenantSearch,
} from "@/components/catalog/configuration-form/launch-draft";
import { AppRights } from "@/components/catalog/configuration-form/rights-list";
import { useWizard } from "@/components/catalog/configuration-form/wizard";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/card";
import { ChoiceCard } from "@/components/ui/forms/choices";
import { inputStyles, noLogin } from "@/components/ui/forms/input-styles";
import { LinkButton, TextLink } from "@/components/ui/links";
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
  const { tenantSearch } = offer;
  return (
    <>
      {tenantSearch !== undefined && <TenantSearchField search={tenantSearch} />}
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
      {tenantSearch !== undefined && <InstalledCount search={tenantSearch} title={offer.title} />}
      {!hasFreeTenant(offer) && offer.tenants.length > 0 && (
        <p className="text-ink-soft">
          All of your tenants have this app. Connect another tenant to launch it there.
        </p>
      )}
      <TenantTools {...props} />
      <AppRights rights={offer.rights} enforcement={offer.enforcement} />
    </>
  );
}

/** The address of this page with other parameters; undefined leaves one out. */
function useAddress(): (changes: Record<string, string | undefined>) => string {
  const pathname = usePathname();
  const search = useSearchParams();
  return (changes) => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === "") query.delete(name);
      else query.set(name, value);
    }
    return query.size === 0 ? pathname : `${pathname}?${query}`;
  };
}

/**
 * The selected tenant in the address, so that the server sends it among many others, also after a reload.
 * @param missingId of a tenant in the draft that the offer lacks
 */
export function useTenantInAddress(missingId: string | undefined) {
  const router = useRouter();
  const address = useAddress();
  const asked = useSearchParams().get("tenant");
  // A tenant that is gone was asked for, and is not there.
  const missing = missingId === undefined || missingId === asked ? undefined : address({ tenant: missingId });
  useEffect(() => {
    if (missing !== undefined) router.replace(missing, { scroll: false });
  }, [router, missing]);
  return (tenantId: string) => window.history.replaceState(null, "", address({ tenant: tenantId }));
}

const TYPING_MS = 200;

/** Finds tenants by name or host name while somebody types. */
function TenantSearchField({ search: { typed, found } }: { search: TenantSearch }) {
  const { offer } = useWizard();
  const router = useRouter();
  const address = useAddress();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isPending, start] = useTransition();
  const find = () => {
    clearTimeout(timer.current);
    // The step may be left while the timer runs.
    if (input.current === null) return;
    const text = input.current.value.trim();
    if (text !== typed) start(() => router.replace(address({ tenants: text }), { scroll: false }));
  };
  const findTyped = useEffectEvent(find);
  // What was typed before the page's scripts ran.
  useEffect(() => findTyped(), []);
  const shown = offer.tenants.filter(({ installedAs }) => installedAs === undefined).length;
  return (
    <div className="flex flex-col gap-2">
      <label className="flex flex-col gap-1.5 text-small font-medium text-ink">
        Find a tenant
        <span className="relative">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
          <input
            ref={input}
            type="search"
            defaultValue={typed}
            autoComplete="off"
            maxLength={100}
            placeholder="Name or host name"
            onInput={() => {
              clearTimeout(timer.current);
              timer.current = setTimeout(find, TYPING_MS);
            }}
            onKeyDown={(event) => {
              // It searches, and does not continue to the next step.
              if (event.key !== "Enter") return;
              event.preventDefault();
              find();
            }}
            {...noLogin(inputStyles({ className: "w-full pl-9 font-normal" }))}
          />
        </span>
      </label>
      <p role="status" aria-busy={isPending} className="text-small leading-5 text-ink-faint">
        {describeFound(typed, found, shown)}
      </p>
    </div>
  );
}

function describeFound(typed: string, found: number, shown: number): string {
  const number = found.toLocaleString("en-US");
  if (found === 0) return typed === "" ? "" : "No tenant without this app matches. Try another name.";
  if (shown < found) return `${shown} of ${number} tenants. Type a part of the name to find another one.`;
  return found === 1 ? "1 tenant" : `${number} tenants`;
}

/** Tenants that can't get the app are not in the way: the list of installations has them. */
function InstalledCount({ search, title }: { search: TenantSearch; title: string }) {
  const { typed, installed, foundInstalled } = search;
  const count = typed === "" ? installed : foundInstalled;
  if (count === 0) return null;
  const number = count.toLocaleString("en-US");
  const text = count === 1 ? "1 tenant has" : `${number} tenants have`;
  return (
    <p className="text-small leading-5 text-ink-soft">
      {typed === "" ? text : text.replace("tenant", "matching tenant")} this app already.{" "}
      <TextLink href={`/installations?${new URLSearchParams({ q: title })}`}>All installations</TextLink>
    </p>
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
        {tenants.map((tenant) => (
          <li
            key={tenant.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
          >
            <span className="min-w-0">
              <TenantName tenant={tenant} />
            </span>
            <LinkButton
              size="small"
              href={`/installations/${tenant.installedAs}`}
              aria-label={`Open for ${tenant.name}`}
            >
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
  return (
    <ChoiceCard value={tenant.id}>
      <TenantName tenant={tenant} />
      <span className="block text-xs wrap-anywhere text-ink-soft">{listProducts(tenant)}</span>
    </ChoiceCard>
  );
}

function TenantName({ tenant: { name, hostName, sandbox } }: { tenant: LaunchTenant }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere text-ink">
        {name}
        {sandbox === true && <Badge tone="warning">Sandbox</Badge>}
      </span>
      <span translate="no" className="block font-mono text-xs wrap-anywhere text-ink-soft">
        {hostName}
      </span>
    </>
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
  const isFirst = offer.tenants.length === 0 && offer.tenantSearch === undefined;
  const offersSandbox = mayUseSandbox && offer.hasSandbox !== true;
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
