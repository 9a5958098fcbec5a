import { Notice } from "@/components/ui/notice";
import { UserText } from "@/components/ui/user-text";
import type { DevExit } from "@/cli/dev/contract/instance";
import { isError } from "@/lib/contract/problem";
import { useConnection, useDev } from "../connection/dev-context";
import { IssueList } from "./issue-list";

/** What is wrong now, above everything else. */
export function DevNotices() {
  const isLost = useConnection() === "lost";
  return (
    <div className="flex flex-col gap-3 empty:hidden [&:not(:empty)]:mb-4">
      {isLost ? (
        <Notice tone="danger" title="platform-app dev has stopped">
          Start it again in the folder of your app. This page reconnects by itself and shows the last state
          until then.
        </Notice>
      ) : (
        <>
          <ManifestNotice />
          <InstanceNotice />
        </>
      )}
    </div>
  );
}

function ManifestNotice() {
  const { valid, issues, file } = useDev("manifest");
  if (valid) return null;
  const errors = issues.filter(isError);
  const problems = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  return (
    <Notice tone="danger" title={`Fix ${problems} in the manifest`}>
      <p>The emulator uses the last valid manifest until then.</p>
      <IssueList issues={errors} file={file} className="mt-2" />
    </Notice>
  );
}

function InstanceNotice() {
  const { state, health, exit } = useDev("instance");
  if (state === "crashed" && exit !== null) return <ExitNotice exit={exit} />;
  const problem = health.at(-1)?.problem;
  if (state !== "failing" || problem === null || problem === undefined) return null;
  return (
    <Notice tone="warning" title="The app fails its health checks">
      <UserText>{problem}</UserText>
    </Notice>
  );
}

function ExitNotice({ exit: { reason, nextStep, logTail } }: { exit: DevExit }) {
  return (
    <Notice tone="danger" title={reason}>
      <p>{nextStep}</p>
      {logTail !== "" && (
        <pre
          role="group"
          aria-label="End of the log"
          tabIndex={0}
          className="mt-3 max-h-48 overflow-auto rounded-field border border-line bg-surface px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap text-ink"
        >
          <UserText>{logTail}</UserText>
        </pre>
      )}
    </Notice>
  );
}
