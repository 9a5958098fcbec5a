import { isError } from "@/lib/contract/problem";
import { useDev } from "../connection/dev-context";
import { IssueList } from "../header/issue-list";

/** Warnings of a valid manifest, with lines. Errors are above all areas. */
export function ManifestCard({ isPanel }: { isPanel: boolean }) {
  const { valid, issues, file } = useDev("manifest");
  const warnings = issues.filter((issue) => !isError(issue));
  if (warnings.length === 0) {
    if (isPanel || !valid) return null;
    return (
      <p className="text-[13px] leading-5 text-ink-faint">
        The manifest is valid: <span className="font-mono wrap-anywhere">{file}</span>
      </p>
    );
  }
  const count = warnings.length === 1 ? "1 note" : `${warnings.length} notes`;
  return (
    <section
      aria-label="Manifest"
      className="max-h-48 shrink-0 overflow-y-auto rounded-card border border-warning-line bg-warning-soft px-4 py-3"
    >
      <h2 className="text-[13px] font-semibold text-ink">Manifest: {count}</h2>
      <IssueList issues={warnings} file={file} className="mt-2" />
    </section>
  );
}
