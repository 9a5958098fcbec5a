import { useIsAway } from "@/components/platform/availability";
import { LongText } from "@/components/ui/fact-list";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { LogTail, NextStep } from "@/components/ui/technical-text";
import { UserText } from "@/components/ui/values";
import type { HealthProblem, InstallationStatus } from "@/lib/contract/insight/health";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { StartAgain } from "./commands";
import { describeProblem, describeState, isParked } from "./describe-installation";

type Explained = Pick<
  InstallationView,
  "id" | "state" | "reason" | "reasonCode" | "health" | "installedAt" | "instance" | "test"
>;

interface HealthNoticeProps {
  installation: Explained;
  /** The user may start it again. */
  operable: boolean;
}

/** Explains the state and what fails since when, unless the installation simply runs. */
export function HealthNotice({ installation, operable }: HealthNoticeProps) {
  const label = describeState(installation, useIsAway("worker"));
  if (label === undefined) return null;
  const { health, instance } = installation;
  const log = showsLog(health.status) ? (instance?.log ?? null) : null;
  return (
    <Notice tone={label.tone} title={label.title}>
      {label.reason !== undefined && (
        <LongText label="Reason" className="mb-1">
          {label.reason}
        </LongText>
      )}
      {label.reason !== undefined && installation.reasonCode !== null && (
        <NextStep code={installation.reasonCode} />
      )}
      {health.problems.length > 0 && (
        <ul className="mb-1 flex flex-col gap-1">
          {health.problems.map((problem) => (
            <li key={problem.cause}>
              <Problem problem={problem} />
            </li>
          ))}
        </ul>
      )}
      <p>{label.text}</p>
      {operable && isParked(health) && <StartAgain installation={installation} />}
      {log !== null && <LogTail log={log} />}
    </Notice>
  );
}

/** While the app doesn't run, its log is part of the explanation. */
export function showsLog(status: InstallationStatus): boolean {
  return status === "ERROR" || status === "DOWN";
}

function Problem({ problem }: { problem: HealthProblem }) {
  const { before, after } = describeProblem(problem);
  return (
    <>
      {before} <RelativeTime at={problem.since} />
      {after} <UserText>{problem.reason}</UserText>
      {problem.code !== null && <NextStep code={problem.code} />}
    </>
  );
}
