"use client";

import { useForm } from "react-hook-form";
import { lazyResolver } from "@/components/ui/form-fields";
import type { SignUpInput } from "@/lib/contract/organization";
import { AccountForm } from "./account-form";
import { OrganizationFields } from "./organization-fields";

const EMPTY: SignUpInput = { name: "", email: "", password: "", organizationName: "", organizationSlug: "" };

/** Creates an organization with its owner. `person`: what is known about someone who comes from an identity provider. */
export function SignUpForm({ person }: { person?: Pick<SignUpInput, "name" | "email"> }) {
  const form = useForm<SignUpInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/organization")).signUpInput),
    defaultValues: { ...EMPTY, ...person },
  });
  return (
    <AccountForm
      path="/api/sign-up"
      form={form}
      fields={EMPTY}
      submit="Create organization"
      created="Organization created, but sign-in failed"
      mailed="confirm your address and create your organization"
    >
      <OrganizationFields />
    </AccountForm>
  );
}
