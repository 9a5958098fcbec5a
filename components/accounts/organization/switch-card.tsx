"use client";

import { useMutation } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

interface SwitchCardProps {
  organization: { id: string; name: string };
  /** A path of this origin, checked by the page. */
  next: string;
}

/** Offers to switch to the organization that a page belongs to, and then opens the page. */
export function SwitchCard({ organization: { id, name }, next }: SwitchCardProps) {
  const change = useMutation({
    mutationFn: () => callApi("PUT", "/api/account/organization", { body: { organizationId: id } }),
    onSuccess: () => leaveFor(next),
  });
  return (
    <Card flush>
      <EmptyState
        icon={ArrowLeftRight}
        title={`This page belongs to ${name}`}
        action={
          <>
            <Button
              tone="primary"
              onPress={() => change.mutate()}
              isPending={change.isPending || change.isSuccess}
            >
              Switch to {name}
            </Button>
            <LinkButton href="/home">Stay here</LinkButton>
          </>
        }
      >
        You are currently working in another organization. Switching doesn&apos;t affect your other tabs.
        <ProblemNotice error={change.error} className="mt-4 text-left" />
      </EmptyState>
    </Card>
  );
}
