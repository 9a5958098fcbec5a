"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { FactList } from "@/components/ui/fact-list";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { TextArea } from "@/components/ui/forms/fields";
import { OverlapField, SelectField } from "@/components/ui/forms/select-field";
import { TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/technical-text";
import { callApi } from "@/lib/client/api";
import type { Overlap } from "@/lib/contract/accounts/api-key";
import type { WebhookSecretView } from "@/lib/contract/calls/gateway-answers";
import {
  type InstallationState,
  REASON_TEXTS,
  UNINSTALL_REASONS,
} from "@/lib/contract/catalog/installation-states";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import { stateAfter } from "@/lib/domain/calls/installation";
import { Effects, useCommand } from "./commands";
import { HealthNotice } from "./health-notice";
import { type Acceptances, TermsCard } from "./terms-card";
import { useInstallation } from "./use-installation";

/** What identifies the installation to machines and to support, and its removal. */
export function SettingsTab({ accepted }: { accepted: Acceptances }) {
  const { installation, operable } = useInstallation();
  const { id, name, imageDigest, tenant, state } = installation;
  return (
    <>
      <HealthNotice installation={installation} operable={operable} />
      <Card title="Identifiers" description="For the core, the audit log, and support requests.">
        <FactList
          rows={[
            { key: "app", name: "App", value: <ShortId label="app name" value={name} /> },
            { key: "id", name: "Installation", value: <ShortId label="installation ID" value={id} /> },
            { key: "image", name: "Image", value: <ShortId label="image digest" value={imageDigest} /> },
            {
              key: "tenant",
              name: "Tenant",
              value: <ShortId label="tenant host name" value={tenant.hostName} />,
            },
            {
              key: "core",
              name: "Core API",
              value: <ShortId label="core API URL" value={tenant.coreApiUrl} />,
            },
          ]}
        />
      </Card>
      <TermsCard accepted={accepted} />
      {operable && state !== "UNINSTALLED" && <WebhookSecretCard installationId={id} />}
      {operable && stateAfter(state, "uninstall") !== undefined && (
        <UninstallCard installation={installation} />
      )}
      {!operable && state !== "UNINSTALLED" && (
        <p className="text-small text-ink-faint">
          Only operators and owners of your organization can configure, upgrade, stop, and uninstall it.
        </p>
      )}
    </>
  );
}

/** The secret that signs the installation's webhooks: revealed on demand, copied, rotated. */
export function WebhookSecretCard({ installationId }: { installationId: string }) {
  const path = `/api/installations/${installationId}/webhook-secrets`;
  const queryKey = ["webhook-secrets", installationId];
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const listed = useQuery({
    queryKey,
    queryFn: () =>
      callApi("GET", path, {
        answer: async () => (await import("@/lib/contract/calls/gateway-answers")).listedSecrets,
      }),
  });
  const reveal = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/reveal`, {
        answer: async () => (await import("@/lib/contract/calls/gateway-answers")).revealedSecrets,
      }),
    // The secrets are in the mutation's result and must not outlive this page in the cache.
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => callApi("POST", path, { body: { overlap } }),
    onSuccess: async () => {
      setAsking(false);
      reveal.reset();
      await client.invalidateQueries({ queryKey });
    },
  });
  const ask = () => {
    rotate.reset();
    setOverlap("24h");
    setAsking(true);
  };
  const secrets = reveal.data?.secrets;
  return (
    <Card
      title="Webhook secret"
      description="Signs every webhook sent to this installation, so that the app can verify that it comes from the platform."
      actions={
        <>
          <Button
            size="small"
            isPending={reveal.isPending}
            onPress={() => (secrets === undefined ? reveal.mutate() : reveal.reset())}
          >
            {secrets === undefined ? "Reveal" : "Hide"}
          </Button>
          <Button size="small" onPress={ask}>
            Rotate
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-small leading-5 text-ink-soft">
        {secrets === undefined
          ? (listed.data?.secrets ?? []).map((each, at) => <SecretTimes key={at} secret={each} />)
          : secrets.map((each, at) => (
              <div key={at} className="flex flex-col gap-1.5">
                <SecretTimes secret={each} />
                <CodeBlock
                  label={each.expiresAt === null ? "webhook secret" : "previous webhook secret"}
                  code={each.secret}
                  wrap
                />
              </div>
            ))}
        <ProblemNotice error={reveal.error ?? listed.error} />
        <p>
          The app reads it with its state key at{" "}
          <code translate="no" className="font-mono wrap-anywhere">
            GET /state/&lt;key&gt;/webhook-secrets
          </code>
          , and can verify the signature with a{" "}
          <a className="text-accent-text underline" href="https://www.standardwebhooks.com" rel="noreferrer">
            Standard Webhooks
          </a>{" "}
          library. The <TextLink href={docsPath("events")}>event catalog</TextLink> describes the payloads.
          The audit trail records who reveals the secret.
        </p>
      </div>
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={setAsking}
        title="Rotate the webhook secret?"
        confirmText="Rotate"
        tone={overlap === "now" ? "danger" : "primary"}
        onConfirm={() => rotate.mutate()}
        isPending={rotate.isPending}
        error={rotate.error}
      >
        <div className="flex flex-col gap-4">
          <p>A new secret signs from now on. Until the overlap ends, webhooks carry both signatures.</p>
          <OverlapField label="The current secret stops signing" value={overlap} onChange={setOverlap} />
          {overlap === "now" && (
            <p>An app that knows only the current secret refuses webhooks until it reads the new one.</p>
          )}
        </div>
      </ConfirmDialog>
    </Card>
  );
}

function SecretTimes({ secret: { createdAt, expiresAt } }: { secret: WebhookSecretView }) {
  return (
    <p>
      {expiresAt === null ? "Current" : "Previous"}, created <RelativeTime at={createdAt} />
      {expiresAt !== null && (
        <>
          , stops signing <RelativeTime at={expiresAt} />
        </>
      )}
    </p>
  );
}

const NO_REASON = "none";

/** Removes the app from the tenant, after its name was typed. */
function UninstallCard({ installation }: { installation: InstallationView }) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState<string>(NO_REASON);
  const [comment, setComment] = useState("");
  const command = useCommand(installation, () => setAsking(false));
  const ask = () => {
    command.reset();
    setAsking(true);
  };
  const answer = {
    reason: UNINSTALL_REASONS.find((one) => one === reason),
    comment: reason === NO_REASON ? "" : comment,
  };
  return (
    <Card
      title="Uninstall"
      description={`Removes the app from ${installation.tenant.name} with its settings, secrets, and routes. This can't be undone.`}
    >
      <Button tone="danger" onPress={ask}>
        Uninstall
      </Button>
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={() => setAsking(false)}
        title={`Uninstall ${installation.title}?`}
        confirmText="Uninstall"
        typeToConfirm={installation.name}
        onConfirm={() => command.mutate(answer)}
        isPending={command.isPending}
        error={command.error}
      >
        <p className="mb-2">Removes the app from {installation.tenant.name}. This can&apos;t be undone.</p>
        <Effects lines={uninstallEffects(installation.state)} />
        {!installation.test && (
          <div className="mt-4 flex flex-col gap-4">
            <SelectField
              label="Reason (optional)"
              hint="The publisher sees your answer, without your name and your organization's."
              options={[
                { value: NO_REASON, text: "No answer" },
                ...UNINSTALL_REASONS.map((value) => ({ value, text: REASON_TEXTS[value] })),
              ]}
              value={reason}
              onChange={setReason}
            />
            {reason !== NO_REASON && (
              <TextArea
                label="What could be better?"
                value={comment}
                onChange={setComment}
                maxLength={500}
                rows={2}
              />
            )}
          </div>
        )}
      </ConfirmDialog>
    </Card>
  );
}

/** In the order in which they happen. */
function uninstallEffects(state: InstallationState): string[] {
  return [
    state === "RUNNING"
      ? "The core's calls are refused, and state keys stop working within one second."
      : "State keys stop working within one second.",
    "The app's stop and uninstall hooks are called, if it has them. If a hook fails, the app is uninstalled anyway.",
    "Its settings, secrets, and routes are deleted.",
    "The history and the audit log are kept. They contain no secrets.",
  ];
}
