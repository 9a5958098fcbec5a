"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { type Control, useController, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { Checkbox } from "@/components/ui/forms/toggles";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ApiKeyInput, CreatedApiKey } from "@/lib/contract/accounts/api-key";
import {
  API_KEY_SCOPES,
  KEY_LIFETIMES,
  SCOPE_TEXTS,
  SUGGESTED_LIFETIME,
  SUGGESTED_SCOPES,
} from "@/lib/contract/accounts/api-key-scope";

const loadContract = () => import("@/lib/contract/accounts/api-key");

/** Creates a key and shows it once. The key is only in this component's memory, until the user leaves the page. */
export function NewApiKey() {
  const router = useRouter();
  const { control, handleSubmit, reset } = useForm<ApiKeyInput>({
    resolver: lazyResolver(async () => (await loadContract()).apiKeyInput),
    defaultValues: { name: "", scopes: [...SUGGESTED_SCOPES], days: SUGGESTED_LIFETIME },
  });
  const create = useMutation({
    mutationFn: (input: ApiKeyInput) =>
      callApi("POST", "/api/organization/api-keys", {
        body: input,
        answer: async () => (await loadContract()).createdApiKey,
      }),
    // The key is in the mutation's result and must not outlive this page in the cache.
    gcTime: 0,
    onSuccess: () => {
      reset();
      router.refresh();
    },
  });
  const days = useController({ control, name: "days" });
  if (create.data !== undefined)
    return (
      <Card title={`“${create.data.name}” created`}>
        <ShownOnce apiKey={create.data} />
        <div className="mt-4">
          <Button onPress={create.reset}>Done</Button>
        </div>
      </Card>
    );
  return (
    <Card title="Create an API key">
      <form
        onSubmit={handleSubmit((input) => create.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-5"
      >
        <div className="grid gap-5 sm:grid-cols-[1fr_11rem]">
          <FormTextField
            control={control}
            name="name"
            label="Name"
            hint="Where you will use it, such as “CI” or “Maria's laptop”."
            isRequired
            autoComplete="off"
          />
          <LifetimeField value={days.field.value} onChange={days.field.onChange} />
        </div>
        <ScopeField control={control} />
        <ProblemNotice error={create.error} />
        <div>
          <Button type="submit" tone="primary" isPending={create.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Card>
  );
}

function ScopeField({ control }: { control: Control<ApiKeyInput> }) {
  const { field, fieldState } = useController({ control, name: "scopes" });
  const error = fieldState.error?.message;
  const hintId = useId();
  return (
    <fieldset aria-describedby={hintId} className="flex flex-col gap-2">
      <legend className="mb-1 text-small font-medium text-ink">What it may do</legend>
      <p id={hintId} className="mb-1 text-small leading-5 text-ink-faint">
        By default, a key can create listings, publish, submit for review, and read logs. Add other scopes
        only if you need them.
      </p>
      {API_KEY_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          value={field.value.includes(scope)}
          onChange={(isChosen) =>
            field.onChange(
              API_KEY_SCOPES.filter((each) => (each === scope ? isChosen : field.value.includes(each))),
            )
          }
        >
          {SCOPE_TEXTS[scope]}{" "}
          <code translate="no" className="ml-1 font-mono text-xs text-ink-faint">
            {scope}
          </code>
        </Checkbox>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type Days = ApiKeyInput["days"];

const OPTIONS = KEY_LIFETIMES.map((days) => ({
  value: String(days),
  text: days === 0 ? "Never" : `In ${days} days`,
}));

/** When a new key stops working. */
export function LifetimeField({ value, onChange }: { value: Days; onChange: (days: Days) => void }) {
  return (
    <SelectField
      label="Expires"
      isRequired
      options={OPTIONS}
      value={String(value)}
      onChange={(chosen) => {
        const found = KEY_LIFETIMES.find((days) => String(days) === chosen);
        if (found !== undefined) onChange(found);
      }}
      hint={value === 0 ? "The key works until you revoke it." : undefined}
    />
  );
}

/** A new key. It is only in the page's memory. */
export function ShownOnce({ apiKey }: { apiKey: CreatedApiKey }) {
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Notice tone="warning" title="Copy the API key now">
        You won&apos;t see it again: only a hash of it is stored.
      </Notice>
      <div>
        <p className="mb-1.5 text-small font-medium text-ink">Client ID</p>
        <CodeBlock label="Client ID" wrap code={apiKey.clientId} />
      </div>
      <div>
        <p className="mb-1.5 text-small font-medium text-ink">API key</p>
        <CodeBlock label="API key" wrap code={apiKey.apiKey} />
      </div>
    </div>
  );
}
