"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, MoreNote } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { Terms } from "@/lib/contract/catalog/listing";
import { TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";
import { TermsLink, TermsQuestion, useTermsQuestion } from "./launch/terms-question";
import { useInstallation } from "./use-installation";

interface AcceptanceView extends Terms {
  id: string;
  acceptedAt: string;
  acceptedBy: string;
}

export interface Acceptances {
  acceptances: readonly AcceptanceView[];
  /** How many older ones are not listed. */
  more: number;
}

/** What was accepted for the installation, by whom, and the question about new terms. Nothing without terms. */
export function TermsCard({ accepted: { acceptances, more } }: { accepted: Acceptances }) {
  const { installation, operable } = useInstallation();
  const { newTerms, state } = installation;
  const isAsked = newTerms !== null && operable && state !== "UNINSTALLING" && state !== "UNINSTALLED";
  if (!isAsked && acceptances.length === 0) return null;
  return (
    <Card
      title="Terms of the publisher"
      description="What your organization accepted for this installation. The audit trail has the same entries."
    >
      <div className="flex flex-col gap-5">
        {isAsked && <AcceptForm installationId={installation.id} terms={newTerms} />}
        <ul className="divide-y divide-line empty:hidden">
          {acceptances.map(({ id, acceptedAt, acceptedBy, ...terms }) => (
            <li key={id} className="py-2 first:pt-0 last:pb-0">
              <TermsLink terms={terms} />
              <p className="text-small leading-5 text-ink-soft">
                Accepted by <UserText>{acceptedBy}</UserText>, <RelativeTime at={acceptedAt} />
              </p>
            </li>
          ))}
        </ul>
        <MoreNote count={more} one="acceptance" many="acceptances">
          The audit trail has all of them.
        </MoreNote>
      </div>
    </Card>
  );
}

function AcceptForm({ installationId, terms }: { installationId: string; terms: Terms }) {
  const router = useRouter();
  const client = useQueryClient();
  const question = useTermsQuestion(terms);
  const [isMarked, setMarked] = useState(false);
  const reload = async () => {
    router.refresh();
    await client.invalidateQueries({ queryKey: ["installation", installationId] });
  };
  const accept = useMutation({
    mutationFn: (accepted: Terms) =>
      callApi("POST", `/api/installations/${installationId}/terms`, { body: accepted }),
    onSuccess: reload,
    onError: async (error) => {
      if (toProblemBody(error).code === "TERMS_CHANGED") await reload();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <TermsQuestion
        question={question}
        error={isMarked ? TERMS_NOT_ACCEPTED.message : undefined}
        onAnswer={() => setMarked(false)}
      />
      <ProblemNotice error={accept.error} />
      <Button
        tone="primary"
        className="self-start"
        isPending={accept.isPending}
        onPress={() => {
          if (question.accepted === undefined) setMarked(true);
          else accept.mutate(question.accepted);
        }}
      >
        Accept the terms
      </Button>
    </div>
  );
}
