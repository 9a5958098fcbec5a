"use client";

import { LockKeyhole, Trash2 } from "lucide-react";
import { Controller, useWatch, type Control } from "react-hook-form";
import { ChoiceGroup } from "@/components/ui/choices";
import { RelativeTime } from "@/components/ui/relative-time";
import type { TenantView } from "@/lib/contract/tenant-view";
import { CredentialField } from "./tenant-fields";
import { isOtherHost, type TenantFormValues } from "./tenant-form";

const CHOICES = [
  { value: "keep", text: "Keep" },
  { value: "set", text: "Set a new one" },
  { value: "clear", text: "Remove" },
] as const;

interface CredentialChoiceProps {
  control: Control<TenantFormValues>;
  tenant: TenantView;
  /** Of a refusal that is about the choice. */
  error: string | undefined;
}

/** A configured credential is kept, replaced or removed, by a choice that is always in sight. What is stored is in no input. */
export function CredentialChoice({ control, tenant, error }: CredentialChoiceProps) {
  const [coreApiUrl, action] = useWatch({ control, name: ["coreApiUrl", "credential.action"] });
  if (!tenant.credential.configured)
    return <CredentialField control={control} label="Credential" error={error} />;
  const lost = action === "keep" && isOtherHost(tenant.coreApiUrl, coreApiUrl);
  const fault = lost
    ? "The core is at another host now, and a stored credential is never sent there. Set it again, or remove it."
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
              label="Credential: keep, set a new one or remove"
              options={CHOICES}
              value={field.value}
              isInvalid={fault !== undefined}
              onChange={field.onChange}
            />
          )}
        />
      </div>
      {action === "set" ? (
        <CredentialField control={control} label="New credential" isRequired error={error} />
      ) : (
        <p className="flex items-start gap-2 rounded-field border border-line bg-subtle px-3 py-2 text-[13px] leading-5 text-ink-soft">
          {action === "keep" ? <Kept {...tenant.credential} /> : <Removed />}
        </p>
      )}
      {fault !== undefined && action !== "set" && (
        <p role="alert" className="text-[13px] leading-5 text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}

function Kept({ updatedAt, by }: { updatedAt: string; by: string }) {
  return (
    <>
      <LockKeyhole aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 break-words">
        Set <RelativeTime at={updatedAt} /> by {by}; hidden. It stays as it is.
      </span>
    </>
  );
}

function Removed() {
  return (
    <>
      <Trash2 aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">
        The stored credential is removed when you save. The core gets the token alone.
      </span>
    </>
  );
}
