import { Circle, CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import type { ConnectionStep, ConnectionTest } from "@/lib/contract/platform/core";

const STEPS = ["address", "connect", "sign-in", "products"] as const satisfies ConnectionStep[];
const LABELS: Record<ConnectionStep, string> = {
  address: "Address",
  connect: "Connection",
  "sign-in": "Sign-in",
  products: "Products",
};

/** The four steps and their results; without `test` they are still running. */
export function ConnectionSteps({ test }: { test: ConnectionTest | undefined }) {
  return (
    <ol className="flex flex-col gap-3">
      {STEPS.map((step) => {
        const result = test?.steps.find((each) => each.step === step);
        return (
          <li key={step} className="flex items-start gap-2.5 text-small leading-5">
            <StepIcon ok={result?.ok} isTesting={test === undefined} />
            <div className="min-w-0 flex-1">
              <p className={`font-medium ${result === undefined ? "text-ink-faint" : "text-ink"}`}>
                {LABELS[step]}
                <span className="sr-only">: {outcome(result?.ok, test === undefined)}</span>
              </p>
              <p className={`wrap-anywhere ${result?.ok === false ? "text-danger" : "text-ink-faint"}`}>
                {result?.detail ?? (test === undefined ? "Testing…" : "Not tested")}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function StepIcon({ ok, isTesting }: { ok: boolean | undefined; isTesting: boolean }) {
  const size = "mt-0.5 size-4 shrink-0";
  if (isTesting) return <LoaderCircle aria-hidden className={`${size} animate-spin text-ink-faint`} />;
  if (ok === undefined) return <Circle aria-hidden className={`${size} text-ink-faint`} />;
  return ok ? (
    <CircleCheck aria-hidden className={`${size} text-success`} />
  ) : (
    <CircleX aria-hidden className={`${size} text-danger`} />
  );
}

function outcome(ok: boolean | undefined, isTesting: boolean): string {
  if (isTesting) return "testing";
  return ok === undefined ? "not tested" : ok ? "passed" : "failed";
}

/** A core that the platform reaches, and apps don't. */
export function AppsNotice({ problem }: { problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <Notice tone="warning" title="Apps can't reach this core">
      {problem}
    </Notice>
  );
}

/** The result of the last connection test. */
export function ConnectionBadge({ connection }: { connection: ConnectionTest | null }) {
  if (connection === null) return <Badge>Not tested</Badge>;
  return (
    <Badge tone={connection.ok ? "success" : "danger"} dot>
      {connection.ok ? "Connected" : "Connection failed"}
    </Badge>
  );
}
