"use client";

import { LockKeyhole, Trash2 } from "lucide-react";
import { Controller, useWatch, type Control } from "react-hook-form";
import { ChoiceGroup } from "@/components/ui/choices";
import { RelativeTime } from "@/components/ui/relative-time";
import type { TenantView } from "@/lib/contract/tenant-view";
import { CredentialField } from "./tenant-fields";
import { isOtherHost } from "./tenant-form";
import type { TenantFormValues } from "./tenant-form-shapes";

const CHOICES = [
  { value: "keep", text: "Keep" },
  { value: "set", text: "Replace" },
  { value: "clear", text: "Remove" },
] as const;

interface CredentialChoiceProps {
  control: Control<TenantFormValues>;
  tenant: TenantView;
  /** The server's problem with the choice. */
  error: string | undefined;
}

/** A stored credential is kept, replaced, or removed. It is never in an input. */
export function CredentialChoice({ control, tenant, error }: CredentialChoiceProps) {
  const [coreApiUrl, action] = useWatch({ control, name: ["coreApiUrl", "credential.action"] });
  if (!tenant.credential.configured)
    return <CredentialField control={control} label="Credential" error={error} />;
  const lost = action === "keep" && isOtherHost(tenant.coreApiUrl, coreApiUrl);
  const problem = lost
    ? "The core is on another host now. A stored credential is never sent to another host: replace or remove it."
    : error;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-[13px] font-medium text-ink">Credential</p>
        <Controller
          control={control}
          name="credential.action"
          render={({ field }) => (
            <ChoiceGroup
              label="Keep, replace, or remove the credential"
              options={CHOICES}
              value={field.value}
              isInvalid={problem !== undefined}
              onChange={field.onChange}
            />
          )}
        />
      </div>
      {action === "set" ? (
        <CredentialField control={control} label="New credential" isRequired error={error} />
      ) : (
        <p className="flex items-start gap-2 rounded-field border border-line bg-subtle px-3 py-2 text-[13px] leading-5 text-ink-soft">
          {action === "keep" ? <StoredCredential {...tenant.credential} /> : <Removed />}
        </p>
      )}
      {problem !== undefined && action !== "set" && (
        <p role="alert" className="text-[13px] leading-5 text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

function StoredCredential({ updatedAt, by }: { updatedAt: string; by: string }) {
  return (
    <>
      <LockKeyhole aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 break-words">
        Set <RelativeTime at={updatedAt} /> by {by}. Hidden, and not changed.
      </span>
    </>
  );
}

function Removed() {
  return (
    <>
      <Trash2 aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">
        The stored credential is removed when you save. The core then gets only the token.
      </span>
    </>
  );
}
