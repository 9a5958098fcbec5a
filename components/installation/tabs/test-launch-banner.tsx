import { FlaskConical } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import type { InstallationView } from "@/lib/contract/installation-view";

/** Marks the page as a Test Launch and links to the console. */
export function TestLaunchBanner({ installation }: { installation: InstallationView }) {
  const { id, tenant, state } = installation;
  const isUninstalled = state === "UNINSTALLED";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-warning-line bg-warning-soft py-2 pr-2 pl-4 text-[13px] leading-5">
      <FlaskConical aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-56 py-1 text-ink-soft">
        <span className="font-medium text-ink">Test Launch</span>: only your organization sees this.
        {tenant.sandbox && !isUninstalled && " It runs for a sandbox tenant without a real policy system."}
      </p>
      {!isUninstalled && (
        <LinkButton size="small" href={`/installations/${id}/calls`}>
          Go to console
        </LinkButton>
      )}
    </div>
  );
}
