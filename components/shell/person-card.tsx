import { LogOut } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import type { Actor } from "@/lib/domain/actor";
import { ThemeSwitch } from "./theme-switch";

/** Who is signed in, for which organization, and the way out. */
export function PersonCard({
  actor,
}: {
  actor: Pick<Actor, "name" | "email" | "organization" | "moderator">;
}) {
  const place = actor.organization === undefined ? "Platform moderation" : actor.organization.name;
  const role = actor.organization?.role ?? "moderator";
  return (
    <div className="border-t border-line pt-4">
      <div className="px-3">
        <p className="truncate text-sm font-medium text-ink" title={place}>
          {place}
        </p>
        <p className="truncate text-xs text-ink-faint" title={actor.email}>
          {actor.name} · {role}
        </p>
      </div>
      <div className="mt-2 flex items-center justify-between">
        <LinkButton tone="quiet" size="small" href="/sign-out" prefetch={false}>
          <LogOut aria-hidden className="size-4" />
          Sign out
        </LinkButton>
        <ThemeSwitch />
      </div>
    </div>
  );
}
