"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useController, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea, lazyResolver } from "@/components/ui/forms/form-fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { SearchForm } from "@/components/ui/search-form";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { LaunchRequestInput, LaunchRequestState } from "@/lib/contract/installations/launch-request";

/** A member's newest request for a tenant. */
export interface AskedRequest {
  id: string;
  tenantId: string;
  tenantName: string;
  state: LaunchRequestState;
  answer: string;
  createdAt: Date;
  validUntil: Date | null;
  isUsed: boolean;
  isUsable: boolean;
}

interface RequestFormProps {
  offer: {
    versionId: string;
    number: string;
    title: string;
    name: string;
    link?: string;
    tenants: readonly { id: string; name: string; hostName: string; installedAs?: string }[];
    tenantSearch?: { typed: string };
  };
  /** The organization launches only apps that it allows, and not this one. */
  asksToAllow: boolean;
  requests: readonly AskedRequest[];
}

/** A member asks an owner to launch the app for one of the tenants. */
export function RequestForm({ offer, asksToAllow, requests }: RequestFormProps) {
  const waiting = requests.filter(({ state }) => state === "OPEN");
  const declined = requests.filter(({ state }) => state === "DECLINED");
  const asked = new Set(waiting.map(({ tenantId }) => tenantId));
  const free = offer.tenants.filter(({ id, installedAs }) => installedAs === undefined && !asked.has(id));
  return (
    <div className="flex flex-col gap-6">
      <Notice
        title={asksToAllow ? "Not on your organization's list of apps" : "An owner approves this launch"}
      >
        {asksToAllow
          ? "Your organization launches only apps that it allows. Your request also asks an owner to allow this one."
          : "Members of your organization ask before they launch an app. An owner decides, and you are notified."}
      </Notice>
      {waiting.map(({ id, tenantName, createdAt }) => (
        <Notice
          key={id}
          title={`You asked to launch it for ${tenantName}`}
          actions={
            <LinkButton size="small" href="/installations/requests">
              Your requests
            </LinkButton>
          }
        >
          <RelativeTime at={createdAt} />. No owner has decided yet.
        </Notice>
      ))}
      {declined.map(({ id, tenantName, answer }) => (
        <Notice key={id} tone="warning" title={`Your request for ${tenantName} was declined`}>
          <UserText>{answer}</UserText>
        </Notice>
      ))}
      {offer.tenantSearch !== undefined && (
        <TenantSearchForm name={offer.name} link={offer.link} typed={offer.tenantSearch.typed} />
      )}
      {free.length > 0 ? (
        <AskCard offer={offer} tenants={free} />
      ) : (
        waiting.length === 0 && (
          <Notice title="No tenant to launch it for">
            {offer.tenants.length === 0
              ? "Ask an owner to connect a tenant first."
              : "All of your tenants have this app."}{" "}
            <TextLink href="/tenants">Open tenants</TextLink>
          </Notice>
        )
      )}
    </div>
  );
}

/** The launch page reads the search among many tenants from `tenants`. */
function TenantSearchForm({ name, link, typed }: { name: string; link?: string; typed: string }) {
  return (
    <SearchForm
      path={`/launch/${name}`}
      parameter="tenants"
      label="Find a tenant"
      value={typed}
      keep={{ ask: "1", ...(link === undefined ? {} : { link }) }}
    />
  );
}

function AskCard({
  offer: { versionId, number, title, link },
  tenants,
}: {
  offer: RequestFormProps["offer"];
  tenants: RequestFormProps["offer"]["tenants"];
}) {
  const router = useRouter();
  const [only, ...others] = tenants;
  const values = {
    versionId,
    tenantId: others.length === 0 ? (only?.id ?? "") : "",
    note: "",
    ...(link === undefined ? {} : { link }),
  };
  const { control, handleSubmit, setError } = useForm<LaunchRequestInput>({
    resolver: lazyResolver(
      async () => (await import("@/lib/contract/installations/launch-request")).launchRequestInput,
    ),
    defaultValues: values,
  });
  const tenant = useController({ control, name: "tenantId" });
  const ask = useMutation({
    mutationFn: (body: LaunchRequestInput) => callApi("POST", "/api/launch-requests", { body }),
    onSuccess: () => router.refresh(),
    onError: (error) => showIssues(error, values, setError),
  });
  return (
    <Card
      title={`Ask to launch ${title}`}
      description={`Version ${number} is the newest one now. If a newer one is verified before you launch, you get that one.`}
    >
      <form
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-5"
        onSubmit={(event) => void handleSubmit((input) => ask.mutate(input))(event)}
      >
        <SelectField
          label="Tenant"
          isRequired
          options={tenants.map(({ id, name, hostName }) => ({ value: id, text: `${name} (${hostName})` }))}
          {...tenant.field}
          error={tenant.fieldState.error?.message}
        />
        <FormTextArea
          control={control}
          name="note"
          label="Why do you need it?"
          hint="The owners of your organization read it."
          isRequired
          rows={3}
        />
        <ProblemNotice error={withoutShownIssues(ask.error, values)} />
        <div>
          <Button type="submit" tone="primary" isPending={ask.isPending}>
            Send request
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Above the launch of a member who has an approval. */
export function ApprovedNotice({
  name,
  link,
  requests,
}: {
  name: string;
  link?: string;
  requests: readonly AskedRequest[];
}) {
  const usable = requests.filter(({ isUsable }) => isUsable);
  const query = new URLSearchParams({ ask: "1", ...(link === undefined ? {} : { link }) });
  return (
    <Notice
      tone="success"
      className="mb-6"
      title={`Approved for ${usable.map(({ tenantName }) => tenantName).join(", ")}`}
      actions={
        <LinkButton size="small" href={`/launch/${name}?${query}`}>
          Ask for another tenant
        </LinkButton>
      }
    >
      You can launch it once for each of them, within 30 days of the approval.
      {usable.map(
        ({ id, answer }) =>
          answer !== "" && (
            <span key={id}>
              {" "}
              <UserText>{answer}</UserText>
            </span>
          ),
      )}
    </Notice>
  );
}
