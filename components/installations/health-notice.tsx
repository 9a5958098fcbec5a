import { useIsAway } from "@/components/platform/availability";
import { LongText } from "@/components/ui/fact-list";
import { LinkButton } from "@/components/ui/links";
import { LearnMore, Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { LogTail, ShortId } from "@/components/ui/technical-text";
import { UserText } from "@/components/ui/values";
import type { HealthProblem, InstallationStatus } from "@/lib/contract/insight/health";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { findTellingLine } from "@/lib/domain/insight/log-text";
import { StartAgain } from "./commands";
import { describeProblem, describeState, findRemedy, isParked, supportMail } from "./describe-installation";

interface HealthNoticeProps {
  installation: InstallationView;
  /** The user may start it again. */
  operable: boolean;
}

/**
 * Explains the state, unless the installation simply runs: what happened and since when, what that means for calls, the one thing to do
 * about it, and the line of the log that shows it.
 */
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
      <Remedy installation={installation} />
      {operable && isParked(health) && <StartAgain installation={installation} />}
      {log !== null && <TellingLine text={log.text} />}
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
    </>
  );
}

/** The next step, and where to ask, with what the publisher needs to find the failure. */
function Remedy({ installation }: { installation: InstallationView }) {
  const remedy = findRemedy(installation);
  if (remedy === undefined) return null;
  const { id, support, publisherName } = installation;
  const { text, code, contact, calls = false } = remedy;
  const hasSupport = support.address !== "" || support.link !== "";
  return (
    <>
      <p className="mt-2 wrap-anywhere">
        <span className="font-medium text-ink">Next step</span>: {text}{" "}
        {code !== null && <LearnMore code={code} />}
      </p>
      {calls && (
        <LinkButton size="small" className="mt-2" href={`/installations/${id}/calls?state=failed`}>
          Open failed calls
        </LinkButton>
      )}
      {contact && (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          {hasSupport ? (
            <LinkButton
              size="small"
              href={support.address === "" ? support.link : supportMail(installation, code)}
            >
              Contact {publisherName}
            </LinkButton>
          ) : (
            <span>{publisherName} gives no contact details.</span>
          )}
          <span className="flex items-center gap-1 text-small">
            Reference <ShortId value={id} label="reference" />
          </span>
        </div>
      )}
    </>
  );
}

function TellingLine({ text }: { text: string }) {
  const line = findTellingLine(text);
  if (line === undefined) return null;
  return (
    <p className="mt-3 wrap-anywhere">
      <span className="font-medium text-ink">In the log</span>:{" "}
      <code translate="no" className="font-mono text-xs text-ink">
        <UserText>{line}</UserText>
      </code>
    </p>
  );
}
