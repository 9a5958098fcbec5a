import { CircleAlert, CircleCheck, CircleHelp, Layers, TriangleAlert } from "lucide-react";
import type { PathCheck } from "@/lib/domain/mapping/check-path";

const LOOKS = {
  found: [CircleCheck, "text-success"],
  many: [Layers, "text-warning"],
  unknown: [CircleHelp, "text-ink-soft"],
  "not-in-schema": [TriangleAlert, "text-warning"],
  invalid: [CircleAlert, "text-danger"],
} as const satisfies Record<PathCheck["verdict"], readonly unknown[]>;

/** What the product's schema says of a path, read out when it changes. Only an invalid one is refused. */
export function PathVerdict({ check: { verdict, message } }: { check: PathCheck }) {
  const [Icon, tone] = LOOKS[verdict];
  return (
    <span role="status" className={`flex items-start gap-1.5 ${tone}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        {message}
        {verdict === "not-in-schema" && " It can be saved all the same, if the data has it."}
      </span>
    </span>
  );
}
