import { Download } from "lucide-react";
import { buttonStyles } from "@/components/ui/links";
import { ORGANIZATION_PARAMETER } from "@/lib/contract/platform/headers";

const FORMATS = [
  ["csv", "CSV"],
  ["json", "JSON"],
  ["jsonl", "JSON lines"],
] as const;

interface DownloadsProps {
  /** Of the handler. */
  path: string;
  /** What the list shows. */
  query: Record<string, string> | URLSearchParams;
  /** Whose list it is, whatever organization the session works in by then; undefined for a list of no organization. */
  organizationId: string | undefined;
  /** Completes “Download these …”. */
  what: string;
  tone?: "secondary" | "quiet";
}

/** A list as files. */
export function Downloads({ path, query, organizationId, what, tone = "quiet" }: DownloadsProps) {
  return FORMATS.map(([format, text]) => {
    const all = new URLSearchParams(query);
    all.set("format", format);
    if (organizationId) all.set(ORGANIZATION_PARAMETER, organizationId);
    return (
      // A download: the router must not follow it.
      <a
        key={format}
        href={`${path}?${all}`}
        download
        aria-label={`Download these ${what} as ${text}`}
        className={buttonStyles({ tone, size: "small" })}
      >
        <Download aria-hidden className="size-4" />
        {text}
      </a>
    );
  });
}
