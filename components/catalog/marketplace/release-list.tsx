import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { toScriptText } from "@/lib/domain/catalog/describe-app";
import { Markdown } from "./markdown";

interface Release {
  id: string;
  number: string;
  createdAt: Date;
  verifiedAt: Date | null;
  /** Markdown. */
  releaseNotes: string;
}

const OPEN = 5;

interface ReleaseListProps {
  versions: Release[];
  /** To the other versions. */
  pager?: ReactNode;
}

/** Versions with their release notes, newest first. The browser folds away the older ones without a script. */
export function ReleaseList({ versions, pager }: ReleaseListProps) {
  const older = versions.slice(OPEN);
  return (
    <Card title="Versions">
      <Releases versions={versions.slice(0, OPEN)} />
      {older.length > 0 && (
        <details className="mt-5 border-t border-line pt-4">
          <summary className="cursor-pointer rounded-sm text-accent-text">
            {older.length === 1 ? "1 older version" : `${older.length} older versions`}
          </summary>
          <div className="mt-4">
            <Releases versions={older} />
          </div>
        </details>
      )}
      {pager}
    </Card>
  );
}

function Releases({ versions }: { versions: Release[] }) {
  return (
    <ol className="space-y-5">
      {versions.map((version) => (
        <li key={version.id}>
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium text-ink tabular-nums">{version.number}</span>
            <RelativeTime at={version.createdAt} className="text-small text-ink-faint" />
            {version.verifiedAt === null && <Badge>Not verified</Badge>}
          </h3>
          {version.releaseNotes.trim() === "" ? (
            <p className="text-small text-ink-faint">No release notes.</p>
          ) : (
            <Markdown>{version.releaseNotes}</Markdown>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Describes the page to search engines. Browsers don't run it, and hide its nonce from scripts, React's included. */
export function StructuredData({ nonce, data }: { nonce: string | undefined; data: object }) {
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: toScriptText(data) }}
    />
  );
}
