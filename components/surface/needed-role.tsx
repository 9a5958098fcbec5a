import type { ReactNode } from "react";
import { TextLink } from "@/components/ui/links";
import { UserText } from "@/components/ui/values";
import type { Actor } from "@/lib/domain/platform/actor";
import { explainRole } from "@/lib/domain/surface/needed-role";

export interface NeededRoleProps {
  path: string;
  actor: Pick<Actor, "organization" | "moderator">;
  /** What is said if the role is not the reason. */
  children: ReactNode;
}

/** If the role is why a page is missing: which one it needs, and who can give it. */
export function NeededRole({ path, actor, children }: NeededRoleProps) {
  const needed = explainRole(path, actor);
  if (needed === undefined) return children;
  return (
    <p className="wrap-anywhere">
      <UserText>{needed.needs}</UserText> <UserText>{needed.gives}</UserText>{" "}
      {needed.byOwner && <TextLink href="/organization/members">See who the owners are</TextLink>}
    </p>
  );
}
