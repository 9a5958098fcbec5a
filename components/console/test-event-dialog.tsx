import { Badge } from "@/components/ui/badge";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { UserText } from "@/components/ui/user-text";
import type { InstallationView, Recipient } from "@/lib/contract/installation-view";

/** A test event that only reaches Test Launches needs no confirmation. */
export function asksFirst(recipients: readonly Recipient[]): boolean {
  return recipients.some(({ test }) => !test);
}

interface TestEventDialogProps {
  installation: InstallationView;
  /** The recipients of the event; undefined while nothing is requested. */
  recipients: readonly Recipient[] | undefined;
  onCancel: () => void;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
}

/** Lists every installation that a test event would reach, before it is sent. */
export function TestEventDialog({ installation, recipients = [], ...rest }: TestEventDialogProps) {
  const { onCancel, onConfirm, isPending, error } = rest;
  const apps = new Set(recipients.map(({ installationId }) => installationId)).size;
  const reached = apps === 1 ? "1 app" : `${apps} apps`;
  return (
    <ConfirmDialog
      isOpen={recipients.length > 0}
      onOpenChange={onCancel}
      title={`Send this event to ${reached} of ${installation.tenant.name}?`}
      confirmText={`Send to ${reached}`}
      tone="primary"
      onConfirm={onConfirm}
      isPending={isPending}
      error={error}
    >
      <p>
        {apps === 1 ? "The app handles" : "The apps handle"} it like a real event of the core. In the records,
        it is marked as a test.
      </p>
      <ul
        aria-label="Recipients"
        className="mt-3 max-h-56 divide-y divide-line overflow-y-auto rounded-field border border-line"
      >
        {recipients.map(({ routeId, installationId, title, path, test }) => (
          <li key={routeId} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
            <UserText className="font-medium wrap-anywhere text-ink">{title}</UserText>
            <code className="font-mono text-xs break-all text-ink-faint">{path}</code>
            {test && <Badge tone="warning">Test Launch</Badge>}
            {installationId === installation.id && <Badge>This installation</Badge>}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
