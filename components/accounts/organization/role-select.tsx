"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { SelectField } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { Role } from "@/lib/contract/platform/role";
import { ROLE_CHOICES } from "@/lib/domain/accounts/organization";

interface RoleSelectProps {
  userId: string;
  name: string;
  role: Role;
  isOwn: boolean;
}

/** Changes a member's role at once. Giving up one's own ownership is confirmed first. */
export function RoleSelect({ userId, name, role, isOwn }: RoleSelectProps) {
  const router = useRouter();
  const [asked, setAsked] = useState<Role>();
  const change = useMutation({
    mutationFn: (chosen: Role) =>
      callApi("PUT", `/api/organization/members/${userId}/role`, { body: { role: chosen } }),
    onSettled: () => {
      setAsked(undefined);
      router.refresh();
    },
  });
  const choose = (key: string) => {
    const chosen = ROLE_CHOICES.find(({ value }) => value === key)?.value;
    if (chosen === undefined || chosen === role) return;
    if (isOwn) setAsked(chosen);
    else change.mutate(chosen);
  };
  const shown = change.isPending ? change.variables : role;
  return (
    <>
      <SelectField
        label={`Role of ${name}`}
        isLabelHidden
        isRequired
        options={ROLE_CHOICES}
        value={shown}
        onChange={choose}
        isDisabled={change.isPending}
        className="w-36 max-w-full"
        menuClassName="w-80 max-w-[calc(100vw-24px)]"
      />
      <ProblemNotice error={change.error} className="mt-2 max-w-72" />
      <ConfirmDialog
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title="Give up your own role?"
        confirmText="Change my role"
        onConfirm={() => asked !== undefined && change.mutate(asked)}
        isPending={change.isPending}
      >
        You will no longer manage members and settings. Only another owner can make you an owner again.
      </ConfirmDialog>
    </>
  );
}
