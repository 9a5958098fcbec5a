"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextField } from "@/components/ui/forms/fields";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { DomainState, DomainView } from "@/lib/contract/accounts/domain";

const STATES: Record<DomainState, { tone: "neutral" | "success" | "warning" | "danger"; text: string }> = {
  WAITING: { tone: "neutral", text: "Waiting for proof" },
  VERIFIED: { tone: "success", text: "Verified" },
  FAILING: { tone: "warning", text: "Proof not found" },
  LOST: { tone: "danger", text: "No longer verified" },
};

/** Domains that the organization proves to own, and how to prove them. `mayChange`: the user is an owner or a publisher. */
export function DomainsCard({ domains, mayChange }: { domains: readonly DomainView[]; mayChange: boolean }) {
  return (
    <Card
      id="domains"
      title="Domains"
      description="Your listings and your public page show the domains that you have verified. The platform checks them once a week."
    >
      <div className="flex flex-col gap-6">
        {domains.length > 0 ? (
          <ul className="flex flex-col divide-y divide-line">
            {domains.map((domain) => (
              <DomainRow key={domain.id} domain={domain} mayChange={mayChange} />
            ))}
          </ul>
        ) : (
          !mayChange && <p className="text-sm text-ink-soft">Your organization has no domains.</p>
        )}
        {mayChange ? (
          <AddForm />
        ) : (
          <p className="text-small text-ink-faint">
            Only owners and publishers of your organization can change this.
          </p>
        )}
      </div>
    </Card>
  );
}

function AddForm() {
  const router = useRouter();
  const [domain, setDomain] = useState("");
  const add = useMutation({
    mutationFn: () => callApi("POST", "/api/organization/domains", { body: { domain } }),
    onSuccess: () => {
      setDomain("");
      router.refresh();
    },
  });
  const issue = add.error === null ? undefined : toProblemBody(add.error).issues?.[0]?.message;
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
      className="flex max-w-2xl flex-col gap-3"
    >
      <TextField
        name="domain"
        label="Domain"
        isRequired
        hint="Such as acme.example."
        placeholder="acme.example"
        autoComplete="off"
        maxLength={300}
        value={domain}
        onChange={(typed) => {
          setDomain(typed);
          add.reset();
        }}
        error={issue}
      />
      {issue === undefined && <ProblemNotice error={add.error} />}
      <Button type="submit" className="self-start" isPending={add.isPending}>
        Add domain
      </Button>
    </form>
  );
}

function DomainRow({ domain: row, mayChange }: { domain: DomainView; mayChange: boolean }) {
  const router = useRouter();
  const [isRemoving, setRemoving] = useState(false);
  const { id, domain, state, problem, checkedAt, provenBy, lostAt } = row;
  const path = `/api/organization/domains/${id}`;
  const check = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/check`, {
        answer: async () => (await import("@/lib/contract/accounts/domain")).checkedDomain,
      }),
    onSuccess: () => router.refresh(),
  });
  const remove = useMutation({
    mutationFn: () => callApi("DELETE", path),
    onSuccess: () => {
      setRemoving(false);
      router.refresh();
    },
  });
  const { tone, text } = STATES[state];
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span translate="no" className="min-w-0 font-medium wrap-anywhere text-ink">
          {domain}
        </span>
        <Badge tone={tone}>{text}</Badge>
        {mayChange && (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button
              size="small"
              isPending={check.isPending}
              aria-label={`Check ${domain} now`}
              onPress={() => check.mutate()}
            >
              Check now
            </Button>
            <Button
              size="small"
              tone="quiet"
              aria-label={`Remove ${domain}`}
              onPress={() => {
                remove.reset();
                setRemoving(true);
              }}
            >
              Remove
            </Button>
          </span>
        )}
      </div>
      {checkedAt !== null && (
        <p className="text-small leading-5 text-ink-soft">
          {state === "VERIFIED" && provenBy !== null
            ? `Proven by ${provenBy === "dns" ? "its TXT record" : "its file"}, checked `
            : "Last checked "}
          <RelativeTime at={checkedAt} />.
          {lostAt !== null && (
            <>
              {" "}
              Listings still show it. Unless you restore the proof, the verification ends{" "}
              <RelativeTime at={lostAt} />.
            </>
          )}
        </p>
      )}
      {problem !== "" && <p className="text-small leading-5 wrap-anywhere text-ink-soft">{problem}</p>}
      <ProblemNotice error={check.error} />
      {state !== "VERIFIED" && mayChange && <HowToProve row={row} />}
      <ConfirmDialog
        isOpen={isRemoving}
        onOpenChange={setRemoving}
        title={`Remove ${domain}?`}
        confirmText="Remove"
        tone="danger"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>Your listings no longer show it. If you add it again, you have to verify it again.</p>
      </ConfirmDialog>
    </li>
  );
}

function HowToProve({ row: { domain, record, file, proof } }: { row: DomainView }) {
  return (
    <div className="flex flex-col gap-3 text-small leading-5 text-ink-soft">
      <p>
        Add a DNS record of the type TXT with this name and value. It can take an hour to become visible. Keep
        the record: the platform checks it every week.
      </p>
      <CodeBlock label={`name of the TXT record of ${domain}`} code={record} wrap />
      <CodeBlock label={`value of the TXT record of ${domain}`} code={proof} wrap />
      <p>Or serve the value as a text file, without a redirect, at:</p>
      <CodeBlock label={`URL of the file of ${domain}`} code={file} wrap />
    </div>
  );
}
