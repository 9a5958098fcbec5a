import { Circle, CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ConnectionStep, ConnectionTest } from "@/lib/contract/core";
import { Badge } from "@/components/ui/badge";

const STEPS = ["address", "connect", "sign-in", "products"] as const satisfies ConnectionStep[];
const WORDS: Record<ConnectionStep, string> = {
  address: "Address",
  connect: "Connection",
  "sign-in": "Sign-in",
  products: "Products",
};

/** The four steps with what came of each; without `test` they are being tried. */
export function ConnectionSteps({ test }: { test: ConnectionTest | undefined }) {
  return (
    <ol className="flex flex-col gap-3">
      {STEPS.map((step) => {
        const result = test?.steps.find((each) => each.step === step);
        return (
          <li key={step} className="flex items-start gap-2.5 text-[13px] leading-5">
            <StepIcon ok={result?.ok} isTrying={test === undefined} />
            <div className="min-w-0 flex-1">
              <p className={`font-medium ${result === undefined ? "text-ink-faint" : "text-ink"}`}>
                {WORDS[step]}
                <span className="sr-only">: {outcomeOf(result?.ok, test === undefined)}</span>
              </p>
              <p className={`wrap-anywhere ${result?.ok === false ? "text-danger" : "text-ink-faint"}`}>
                {result?.detail ?? (test === undefined ? "Trying …" : "Not tried.")}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function StepIcon({ ok, isTrying }: { ok: boolean | undefined; isTrying: boolean }) {
  const size = "mt-0.5 size-4 shrink-0";
  if (isTrying) return <LoaderCircle aria-hidden className={`${size} animate-spin text-ink-faint`} />;
  if (ok === undefined) return <Circle aria-hidden className={`${size} text-ink-faint`} />;
  return ok ? (
    <CircleCheck aria-hidden className={`${size} text-success`} />
  ) : (
    <CircleX aria-hidden className={`${size} text-danger`} />
  );
}

function outcomeOf(ok: boolean | undefined, isTrying: boolean): string {
  if (isTrying) return "being tried";
  return ok === undefined ? "not tried" : ok ? "passed" : "failed";
}

/** What the last test of a tenant's connection said. */
export function ConnectionBadge({ connection }: { connection: ConnectionTest | null }) {
  if (connection === null) return <Badge>Not tested</Badge>;
  return (
    <Badge tone={connection.ok ? "success" : "danger"} dot>
      {connection.ok ? "Connected" : "Connection failed"}
    </Badge>
  );
}
