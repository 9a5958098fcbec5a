"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/forms/toggles";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { PreferenceInput, PreferenceView } from "@/lib/contract/platform/notification";
import { NOTIFICATION_KINDS } from "@/lib/contract/platform/notification-kinds";

interface PreferencesCardProps {
  preferences: readonly PreferenceView[];
  email: string;
  /** Whether this platform sends emails. */
  sendsMail: boolean;
}

/** Each choice is saved at once. One that could not be saved goes back to what it was. */
export function PreferencesCard({ preferences, email, sendsMail }: PreferencesCardProps) {
  const router = useRouter();
  const [rows, setRows] = useState(preferences);
  const save = useMutation({
    mutationFn: (input: PreferenceInput) => callApi("PUT", "/api/notifications/preferences", { body: input }),
    onSuccess: () => router.refresh(),
    onError: () => setRows(preferences),
  });
  const change = (input: PreferenceInput) => {
    setRows(rows.map((row) => (row.kind === input.kind ? { ...row, ...input, kind: row.kind } : row)));
    save.mutate(input);
  };
  return (
    <Card
      title="What you receive"
      description={
        sendsMail
          ? `Emails go to ${email}. Security messages, such as a changed password, are always sent.`
          : "This platform has no mail server, so emails are not sent. Your choices apply once it has one."
      }
      flush
    >
      <ProblemNotice error={save.error} />
      <div className="divide-y divide-line border-t border-line">
        {rows.map(({ kind, inProduct, email: byEmail }) => {
          const { title, description } = NOTIFICATION_KINDS[kind];
          return (
            <div
              key={kind}
              role="group"
              aria-label={title}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-6"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p className="text-sm font-medium text-ink">{title}</p>
                <p className="mt-0.5 text-small leading-5 text-ink-faint">{description}</p>
              </div>
              <div className="flex flex-wrap gap-x-6 gap-y-3">
                <Checkbox value={inProduct} onChange={(value) => change({ kind, inProduct: value })}>
                  In the product
                </Checkbox>
                <Checkbox value={byEmail} onChange={(value) => change({ kind, email: value })}>
                  Email
                </Checkbox>
              </div>
            </div>
          );
        })}
      </div>
    </Card>
  );
}
