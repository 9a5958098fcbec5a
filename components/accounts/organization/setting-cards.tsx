"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea, FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { SavedSwitch } from "@/components/ui/forms/saved-switch";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { OrganizationProfile } from "@/lib/contract/accounts/account";

/** What the marketplace shows of the organization. `mayChange`: the user is an owner. */
export function ProfileCard({ profile, mayChange }: { profile: OrganizationProfile; mayChange: boolean }) {
  const router = useRouter();
  const { control, handleSubmit, setError, reset, formState } = useForm<OrganizationProfile>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).organizationProfile),
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
            <span role="status" className="text-small text-ink-faint">
              {save.isSuccess && !formState.isDirty ? "Saved" : ""}
            </span>
          </div>
        ) : (
          <p className="text-small text-ink-faint">Only owners of your organization can change this.</p>
        )}
      </form>
    </Card>
  );
}

interface SettingProps {
  /** What is stored now. */
  value: boolean;
  mayChange: boolean;
}

/** Payloads usually contain personal data, so recording them is a choice. */
export function RecordBodiesCard(props: SettingProps) {
  return (
    <Card title="Production calls">
      <SavedSwitch
        {...props}
        label="Record payloads and responses"
        path="/api/organization/settings"
        toBody={(recordBodies) => ({ recordBodies })}
      >
        <p>
          When this is on, the platform stores the first 16 KiB of each payload and response, and shows them
          on the Calls pages. This helps you find out why an app fails, but payloads usually contain personal
          data of policyholders. Turn it off when you no longer need it.
        </p>
        <p>
          Calls of Test Launches and test calls from the console are always recorded. Every call&apos;s time,
          status, duration, sizes, and reason for failure are recorded even when this is off. Changing this
          setting affects only new calls and is recorded in the audit trail.
        </p>
      </SavedSwitch>
    </Card>
  );
}

export function RequireSecondFactorCard(props: SettingProps) {
  return (
    <Card title="Sign-in">
      <SavedSwitch
        {...props}
        label="Require two-factor sign-in"
        path="/api/organization/second-factor"
        toBody={(required) => ({ required })}
      >
        <p>
          When this is on, members who sign in with a password must set up two-factor sign-in before they can
          open any page of the organization. Members who use single sign-on follow the rules of its provider.
        </p>
      </SavedSwitch>
    </Card>
  );
}
