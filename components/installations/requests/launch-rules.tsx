"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SavedSwitch } from "@/components/ui/forms/saved-switch";
import { TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { LaunchRules, LaunchRulesInput } from "@/lib/contract/installations/launch-request";

interface LaunchRulesCardProps {
  rules: LaunchRules;
  /** The user is an owner. */
  mayChange: boolean;
}

/** Who may launch which apps in the organization. */
export function LaunchRulesCard({ rules: { membersAsk, onlyAllowedApps }, mayChange }: LaunchRulesCardProps) {
  const saved = { mayChange, path: "/api/organization/launch-rules" };
  return (
    <Card title="Launching apps">
      <div className="flex flex-col gap-6">
        <SavedSwitch
          {...saved}
          label="Members ask before they launch"
          value={membersAsk}
          toBody={(value): LaunchRulesInput => ({ membersAsk: value })}
        >
          <p>
            Operators ask for each launch, and an owner approves or declines it on the{" "}
            <TextLink href="/installations/requests">Requests</TextLink> page. Owners launch without asking.
            Test Launches and trials need no approval.
          </p>
        </SavedSwitch>
        <SavedSwitch
          {...saved}
          label="Only allowed apps"
          value={onlyAllowedApps}
          toBody={(value): LaunchRulesInput => ({ onlyAllowedApps: value })}
        >
          <p>
            Nobody launches an app that is not on{" "}
            <TextLink href="/organization/allowed-apps">your list</TextLink>. Owners add apps on their pages
            in the marketplace, and operators can ask for one. Installed apps keep running.
          </p>
        </SavedSwitch>
      </div>
    </Card>
  );
}

interface AllowButtonProps {
  listingId: string;
  /** The token of its link, if the listing is shown by link. */
  link?: string;
  isAllowed: boolean;
  /** Names the app for screen readers, where a page has several buttons. */
  title?: string;
}

/** An owner adds an app to those that the organization allows, or removes it. */
export function AllowButton({ listingId, link, isAllowed, title }: AllowButtonProps) {
  const router = useRouter();
  const change = useMutation({
    mutationFn: () =>
      isAllowed
        ? callApi("DELETE", `/api/allowed-apps/${listingId}`)
        : callApi("PUT", `/api/allowed-apps/${listingId}`, { body: link === undefined ? {} : { link } }),
    onSettled: () => router.refresh(),
  });
  return (
    <>
      <Button
        tone={isAllowed ? "quiet" : "primary"}
        aria-label={title === undefined ? undefined : `Remove ${title}`}
        isPending={change.isPending}
        onPress={() => change.mutate()}
      >
        {title !== undefined ? "Remove" : isAllowed ? "Stop allowing" : "Allow this app"}
      </Button>
      <ProblemNotice error={change.error} />
    </>
  );
}
