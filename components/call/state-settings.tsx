import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { CallView } from "@/lib/contract/call-view";

/** Names only: the values are in the state record, which only the app gets. */
export function StateSettings({ call }: { call: CallView }) {
  const { stateReads, stateRevision, stateSettings, installation } = call;
  if (stateReads === 0) return null;
  return (
    <div className="mt-4 border-t border-line pt-4 text-[13px] leading-5 text-ink-soft">
      {stateSettings.length > 0 && (
        <>
          <p>Settings in the state that it read</p>
          <ul aria-label="Settings in the state" className="mt-1.5 flex flex-wrap gap-1.5">
            {stateSettings.map((name) => (
              <li key={name} className="max-w-full min-w-0">
                <Badge>{name}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
      {stateRevision !== null && stateRevision < installation.revision && (
        <p className="mt-2">
          <TextLink href={`/installations/${installation.id}/history`}>See what changed since</TextLink>
        </p>
      )}
    </div>
  );
}
