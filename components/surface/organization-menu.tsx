"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, Plus } from "lucide-react";
import type { RefObject } from "react";
import { Autocomplete, Dialog, Menu, MenuItem, Popover } from "react-aria-components";
import { Spinner } from "@/components/ui/button";
import { menuItemStyles, MenuResults, MenuSearch } from "@/components/ui/collections";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { OwnOrganization } from "@/lib/contract/accounts/account";
import { roleText } from "@/lib/domain/accounts/organization";
import { hasTypedWords } from "@/lib/domain/platform/text";

interface OrganizationMenuProps {
  trigger: RefObject<HTMLButtonElement | null>;
  currentId: string | undefined;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  /** Says where a switch leads: the home page by default. Asked when it is made. */
  findNext?: () => string;
}

/** From so many on, the list has a search field. */
const MANY = 7;
const CREATE = "create";

/** The user's organizations. Choosing one loads a page in full, so that nothing of the other one stays in memory. */
export function OrganizationMenu(props: OrganizationMenuProps) {
  const { trigger, currentId, isOpen, onOpenChange, findNext = () => "/home" } = props;
  const { data: organizations, error } = useQuery({
    queryKey: ["organizations"],
    queryFn: async ({ signal }) =>
      (
        await callApi("GET", "/api/organizations", {
          answer: async () => (await import("@/lib/contract/accounts/account")).ownOrganizations,
          signal,
        })
      ).organizations,
    enabled: isOpen,
  });
  const change = useMutation({
    mutationFn: (organizationId: string) =>
      callApi("PUT", "/api/account/organization", { body: { organizationId } }),
    onSuccess: () => leaveFor(findNext()),
  });
  const choose = (key: string) => {
    if (key === CREATE) return leaveFor("/organization/new");
    if (key === currentId) return onOpenChange(false);
    change.mutate(key);
  };
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="bottom start"
      maxHeight={480}
      className="flex w-72 max-w-[calc(100vw-24px)] arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high"
    >
      <Dialog aria-label="Organizations" className="flex min-h-0 flex-1 flex-col outline-none">
        <ProblemNotice error={error ?? change.error} className="m-1" />
        {organizations === undefined ? (
          error === null && <Spinner className="justify-center p-4" />
        ) : (
          <OrganizationList
            organizations={organizations}
            currentId={currentId}
            onChoose={choose}
            isPending={change.isPending || change.isSuccess}
          />
        )}
      </Dialog>
    </Popover>
  );
}

interface OrganizationListProps {
  organizations: readonly OwnOrganization[];
  currentId: string | undefined;
  onChoose: (key: string) => void;
  isPending: boolean;
}

function OrganizationList({ organizations, currentId, onChoose, isPending }: OrganizationListProps) {
  const isLong = organizations.length >= MANY;
  const menu = (
    <Menu
      aria-label="Organizations"
      autoFocus={isLong ? undefined : "first"}
      onAction={(key) => onChoose(String(key))}
      disabledKeys={isPending ? [...organizations.map(({ id }) => id), CREATE] : []}
      className={isLong ? "p-1 outline-none" : "min-h-0 flex-1 overflow-y-auto p-1 outline-none"}
    >
      {organizations.map(({ id, name, role }) => (
        <MenuItem key={id} id={id} textValue={name} className={menuItemStyles()}>
          <span className="min-w-0 flex-1">
            <bdi className="block truncate">{name}</bdi>
            <span className="block text-xs leading-4 text-ink-faint">{roleText(role)}</span>
          </span>
          {id === currentId && (
            <>
              <Check aria-hidden className="size-4 shrink-0 text-accent-text" />
              <span className="sr-only">current</span>
            </>
          )}
        </MenuItem>
      ))}
      <MenuItem id={CREATE} textValue="Create organization" className={menuItemStyles()}>
        <Plus aria-hidden className="size-4 shrink-0 opacity-70" />
        Create organization
      </MenuItem>
    </Menu>
  );
  if (!isLong) return menu;
  return (
    <Autocomplete filter={hasTypedWords}>
      <MenuSearch label="Search organizations" />
      <MenuResults>{menu}</MenuResults>
    </Autocomplete>
  );
}
