import { useDev } from "../connection/dev-context";
import { CallDetails } from "./call-details";
import { CallLine } from "./call-line";

/** What was sent last, side by side if several customers got it. */
export function CallResults({ ids }: { ids: readonly string[] }) {
  const calls = useDev("calls");
  const sent = ids.flatMap((id) => calls.find((call) => call.id === id) ?? []);
  if (sent.length === 0) return null;
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-4">
      <h2 className="text-[15px] font-semibold text-ink">Result</h2>
      <div className={`grid min-w-0 gap-4 ${sent.length > 1 ? "lg:grid-cols-2" : ""}`}>
        {sent.map((call) => (
          <article
            key={call.id}
            aria-label={`Result for ${call.customerName}`}
            className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-low"
          >
            <CallLine call={call} />
            <CallDetails call={call} />
          </article>
        ))}
      </div>
    </section>
  );
}
