"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextField } from "@/components/ui/form-fields";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { apiKeyInput, type ApiKeyInput } from "@/lib/contract/organization";

const created = z.object({ name: z.string(), clientId: z.string(), apiKey: z.string() });

/** Makes a key and shows it once; the key lives in this component's memory alone, until the page is left. */
export function NewApiKey() {
  const router = useRouter();
  const { control, handleSubmit, reset } = useForm({
    resolver: zodResolver(apiKeyInput),
    defaultValues: { name: "" },
  });
  const create = useMutation({
    mutationFn: (input: ApiKeyInput) =>
      callApi("POST", "/api/organization/api-keys", { body: input, answer: created }),
    // The key is in the mutation's result: it must not outlive this page in the cache.
    gcTime: 0,
    onSuccess: () => {
      reset();
      router.refresh();
    },
  });
  if (create.data !== undefined) return <ShownOnce apiKey={create.data} onDone={create.reset} />;
  return (
    <Card title="New API Key">
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
            hint="The place that will use it, such as “CI” or “Maria's laptop”."
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

function ShownOnce({ apiKey, onDone }: { apiKey: z.output<typeof created>; onDone: () => void }) {
  return (
    <Card title={`Key “${apiKey.name}” is ready`}>
      <div className="flex max-w-xl flex-col gap-4">
        <Notice tone="warning" title="Copy the API Key now">
          It is not stored in readable form and is never shown again.
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
          <Button onPress={onDone}>I have copied it</Button>
        </div>
      </div>
    </Card>
  );
}
