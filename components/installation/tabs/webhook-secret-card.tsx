"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { OverlapField } from "@/components/ui/overlap-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { callApi } from "@/lib/client/api";
import type { Overlap } from "@/lib/contract/overlap";
import type { WebhookSecretView } from "@/lib/contract/webhook-secret";
import { docsPath } from "@/lib/contract/docs-pages";

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
        answer: async () => (await import("@/lib/contract/webhook-secret")).listedSecrets,
      }),
  });
  const reveal = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/reveal`, {
        answer: async () => (await import("@/lib/contract/webhook-secret")).revealedSecrets,
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
      <div className="flex flex-col gap-4 text-[13px] leading-5 text-ink-soft">
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
          <code className="font-mono wrap-anywhere">GET /state/&lt;key&gt;/webhook-secrets</code>. Libraries
          of{" "}
          <a className="text-accent-text underline" href="https://www.standardwebhooks.com" rel="noreferrer">
            Standard Webhooks
          </a>{" "}
          verify the signature, and the <TextLink href={docsPath("events")}>event catalog</TextLink> describes
          the payloads. Revealing is recorded in the audit trail.
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
          , signs until <RelativeTime at={expiresAt} />
        </>
      )}
    </p>
  );
}
