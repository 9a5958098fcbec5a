import { useMutation } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { ThemeSwitch } from "@/components/surface/theme-switch";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import { isError, type Issue } from "@/lib/contract/platform/problem";
import { browserZone, writeTime } from "@/lib/domain/platform/zone";
import type { DevExit, DevHealth, DevInstance } from "../../dev/contract/app";
import { useConnection, useDev } from "./connection";

const STATES: Record<DevInstance["state"], readonly [Tone, string]> = {
  building: ["accent", "Building"],
  starting: ["accent", "Starting"],
  ready: ["success", "Ready"],
  failing: ["warning", "Failing"],
  crashed: ["danger", "Crashed"],
  stopped: ["neutral", "Stopped"],
};

/** Which app this is, and how it does. */
export function DevHeader() {
  const { title, name, version } = useDev("manifest");
  const instance = useDev("instance");
  const isLive = useConnection() === "live";
  const [tone, text] = isLive ? STATES[instance.state] : (["neutral", "Disconnected"] as const);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 sm:gap-x-6">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <Mark />
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <UserText className="min-w-0 text-lead font-semibold wrap-anywhere text-ink">{title}</UserText>
            <span role="status" aria-label="App">
              <Badge tone={tone} dot>
                {text}
              </Badge>
            </span>
          </p>
          <p translate="no" className="font-mono text-xs leading-5 wrap-anywhere text-ink-faint">
            {name} {version}
          </p>
        </div>
      </div>
      <div className="order-last flex w-full min-w-0 flex-wrap items-center gap-x-6 gap-y-2 md:order-none md:w-auto">
        <HealthStrip health={instance.health} />
        <Facts instance={instance} />
      </div>
      <div className="flex items-center gap-1">
        <RestartButton isDisabled={!isLive} />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Facts({ instance: { how, what, port, restarts } }: { instance: DevInstance }) {
  const facts = [
    { label: how === "container" ? "Container" : "Process", value: what },
    { label: "Port", value: port === null ? "–" : String(port) },
    { label: "Restarts", value: String(restarts) },
  ];
  return (
    <dl className="flex min-w-0 flex-wrap gap-x-5 gap-y-1 text-xs leading-5">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-1.5 md:block">
          <dt className="text-ink-faint">{label}</dt>
          <dd translate="no" className="max-w-56 truncate font-mono text-ink tabular-nums" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RestartButton({ isDisabled }: { isDisabled: boolean }) {
  const { mutate, isPending } = useMutation({ mutationFn: () => callApi("POST", "/api/dev/restart") });
  return (
    <Button size="small" onPress={() => mutate()} isPending={isPending} isDisabled={isDisabled}>
      <RotateCw aria-hidden className="size-4" />
      <span className="max-sm:sr-only">Restart</span>
    </Button>
  );
}

/** The platform's mark. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" role="img" aria-label="platform-app dev" className="size-8 shrink-0">
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <rect x="6" y="6" width="5" height="5" rx="1.5" fill="#fff" />
      <rect x="13" y="6" width="5" height="5" rx="1.5" fill="#fff" opacity="0.55" />
      <rect x="6" y="13" width="12" height="5" rx="1.5" fill="#fff" opacity="0.8" />
    </svg>
  );
}

/** One check each second. */
const SHOWN = 60;

/** The last minute of `GET /health`: a bar for each check, the newest on the right. */
function HealthStrip({ health }: { health: readonly DevHealth[] }) {
  const shown = health.slice(-SHOWN);
  const last = shown.at(-1);
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <div role="img" aria-label={describe(shown)} className="flex h-4 items-stretch gap-px">
        {Array.from({ length: SHOWN - shown.length }, (_, index) => (
          <span key={index} className="w-1 rounded-[1px] bg-hover" />
        ))}
        {shown.map((check) => (
          <span
            key={check.at}
            title={title(check)}
            className={`w-1 rounded-[1px] ${check.ok ? "bg-success" : "bg-danger"}`}
          />
        ))}
      </div>
      <figcaption className="text-xs leading-4 text-ink-faint tabular-nums">
        {last === undefined ? "Health: not checked yet" : `Health: ${Math.round(last.ms)} ms, last minute`}
      </figcaption>
    </figure>
  );
}

function title({ at, ok, ms, problem }: DevHealth): string {
  return `${writeTime(at, "time", browserZone())}: ${ok ? `healthy in ${Math.round(ms)} ms` : (problem ?? "failed")}`;
}

function describe(checks: readonly DevHealth[]): string {
  if (checks.length === 0) return "No health checks yet";
  const healthy = checks.filter(({ ok }) => ok).length;
  return `Healthy in ${healthy} of the last ${checks.length} checks`;
}

/** What is wrong now, above everything else. */
export function DevNotices() {
  const isLost = useConnection() === "lost";
  return (
    <div className="flex flex-col gap-3 empty:hidden [&:not(:empty)]:mb-4">
      {isLost ? (
        <Notice tone="danger" title="platform-app dev has stopped">
          Start it again in the folder of your app. This page reconnects automatically and shows the last
          state until then.
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
  const { valid, unreadable, issues, file } = useDev("manifest");
  if (valid) return null;
  if (unreadable !== null)
    return (
      <Notice tone="danger" title="The manifest can't be read">
        <UserText className="wrap-anywhere">{unreadable}</UserText>
        <p>The emulator uses the last valid manifest until the file is back.</p>
      </Notice>
    );
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
  const { state, health, waiting, exit } = useDev("instance");
  if (state === "crashed" && exit !== null) return <ExitNotice exit={exit} />;
  if (waiting !== null)
    return (
      <Notice tone="warning" title="The app isn't ready yet">
        <UserText>{waiting}</UserText>
      </Notice>
    );
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
          translate="no"
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

interface IssueListProps {
  issues: readonly Issue<string>[];
  /** The path of the manifest. Only its name is shown. */
  file: string;
  className?: string;
}

/** Where each problem is, what it is, and how to fix it. */
export function IssueList({ issues, file, className = "" }: IssueListProps) {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  return (
    <ul className={`flex flex-col gap-2 ${className}`}>
      {issues.map(({ code, pointer, message, hint, line, column }, index) => (
        <li key={`${code} ${pointer} ${index}`} className="min-w-0 text-small leading-5">
          <code translate="no" className="font-mono text-xs wrap-anywhere text-ink-faint">
            {line === undefined ? name : `${name}:${line}:${column ?? 1}`} {code}
          </code>
          <UserText className="block wrap-anywhere text-ink">{message}</UserText>
          {hint !== undefined && <UserText className="block wrap-anywhere text-ink-faint">{hint}</UserText>}
        </li>
      ))}
    </ul>
  );
}
