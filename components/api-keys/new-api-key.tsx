"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextField } from "@/components/ui/form-fields";
import { CodeBlock } from "@/components/ui/code-block";
import { lazyResolver } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ApiKeyInput, CreatedApiKey } from "@/lib/contract/organization";

const loadContract = () => import("@/lib/contract/organization");

/** Creates a key and shows it once. The key is only in this component's memory, until the user leaves the page. */
export function NewApiKey() {
  const router = useRouter();
  const { control, handleSubmit, reset } = useForm<ApiKeyInput>({
    resolver: lazyResolver(async () => (await loadContract()).apiKeyInput),
    defaultValues: { name: "" },
  });
  const create = useMutation({
    mutationFn: async (input: ApiKeyInput) => {
      const { createdApiKey } = await loadContract();
      return callApi("POST", "/api/organization/api-keys", { body: input, answer: createdApiKey });
    },
    // The key is in the mutation's result and must not outlive this page in the cache.
    gcTime: 0,
    onSuccess: () => {
      reset();
      router.refresh();
    },
  });
  if (create.data !== undefined) return <ShownOnce apiKey={create.data} onDone={create.reset} />;
  return (
    <Card title="Create an API Key">
      <form
        onSubmit={handleSubmit((input) => create.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-4"
      >
        <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
          <FormTextField
            control={control}
            name="name"
            label="Name"
            hint="Where you will use it, such as “CI” or “Maria's laptop”."
            isRequired
            autoComplete="off"
            className="flex-1"
          />
          <Button type="submit" tone="primary" isPending={create.isPending} className="sm:mt-[30px]">
            Create key
          </Button>
        </div>
        <ProblemNotice error={create.error} />
      </form>
    </Card>
  );
}

function ShownOnce({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  return (
    <Card title={`“${apiKey.name}” created`}>
      <div className="flex max-w-xl flex-col gap-4">
        <Notice tone="warning" title="Copy the API Key now">
          You won&apos;t see it again: only a hash of it is stored.
        </Notice>
        <div>
          <p className="mb-1.5 text-[13px] font-medium">Client ID</p>
          <CodeBlock label="Client ID" wrap code={apiKey.clientId} />
        </div>
        <div>
          <p className="mb-1.5 text-[13px] font-medium">API Key</p>
          <CodeBlock label="API Key" wrap code={apiKey.apiKey} />
        </div>
        <div>
          <Button onPress={onDone}>Done</Button>
        </div>
      </div>
    </Card>
  );
}
