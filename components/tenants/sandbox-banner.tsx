import { FlaskConical } from "lucide-react";

/** Says what a sandbox is, wherever one is shown whole. */
export function SandboxBanner() {
  return (
    <div className="flex items-start gap-3 rounded-card border border-warning-line bg-warning-soft px-4 py-3 text-[13px] leading-5">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 text-ink-soft">
        <span className="font-medium text-ink">Sandbox</span>: a tenant of the platform&apos;s own core with
        made-up products and policies, for Test Launches. It cannot be edited.
      </p>
    </div>
  );
}
