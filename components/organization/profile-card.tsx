"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea, FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { OrganizationProfile } from "@/lib/contract/membership";

/** What the marketplace shows of the organization. `mayChange`: the user is an owner. */
export function ProfileCard({ profile, mayChange }: { profile: OrganizationProfile; mayChange: boolean }) {
  const router = useRouter();
  const { control, handleSubmit, setError, reset, formState } = useForm<OrganizationProfile>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/membership")).organizationProfile),
    defaultValues: profile,
  });
  const save = useMutation({
    mutationFn: (input: OrganizationProfile) => callApi("PUT", "/api/organization/profile", { body: input }),
    onSuccess: (_nothing, saved) => {
      reset(saved);
      router.refresh();
    },
    onError: (error) => showIssues(error, profile, setError),
  });
  const field = { control, isDisabled: !mayChange };
  return (
    <Card title="Public profile" description="What everyone sees on your page in the marketplace.">
      <form
        onSubmit={handleSubmit((input) => save.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-2xl flex-col gap-5"
      >
        <ProblemNotice error={withoutShownIssues(save.error, profile)} />
        <FormTextField {...field} name="name" label="Name" autoComplete="organization" isRequired />
        <FormTextArea
          {...field}
          name="description"
          label="Description"
          hint="What your company does, in a few sentences."
          rows={3}
        />
        <FormTextField
          {...field}
          name="website"
          label="Website"
          type="url"
          placeholder="https://company.com"
          autoComplete="url"
        />
        <FormTextField
          {...field}
          name="supportAddress"
          label="Support address"
          type="email"
          hint="Customers write to it when they need help."
          autoComplete="email"
        />
        {mayChange ? (
          <div className="flex items-center gap-3">
            <Button type="submit" tone="primary" isPending={save.isPending}>
              Save profile
            </Button>
            <span role="status" className="text-[13px] text-ink-faint">
              {save.isSuccess && !formState.isDirty ? "Saved" : ""}
            </span>
          </div>
        ) : (
          <p className="text-[13px] text-ink-faint">Only owners of your organization can change this.</p>
        )}
      </form>
    </Card>
  );
}
