import { Fragment } from "react";
import { TextLink } from "@/components/ui/links";
import { errorPath } from "@/lib/contract/platform/problem";
import { errorEntryPath } from "@/lib/contract/surface/error-codes";
import type { ManifestKey } from "@/lib/domain/surface/manifest-reference";
import { GuideHeadingLine } from "./guide-blocks";

interface ManifestReferenceProps {
  keys: readonly ManifestKey[];
  /** Issues of the file as a whole. */
  fileCodes: readonly string[];
}

export const KEY_REFERENCE = { id: "keys", text: "Every key", level: 2 } as const;

/** The anchor of a key, such as `app.fields.name`. */
export function keyAnchor(path: string): string {
  return path.replaceAll("[]", "");
}

export function ManifestReference({ keys, fileCodes }: ManifestReferenceProps) {
  return (
    <>
      <GuideHeadingLine {...KEY_REFERENCE} />
      <p className="leading-7">
        From the validator&apos;s own schema, which editors use through <code translate="no">$schema</code>:{" "}
        <a
          href="/schemas/platform-app.json"
          className="text-accent-text underline decoration-accent-text/40 underline-offset-2"
        >
          JSON Schema
        </a>
        . <code translate="no">[]</code> stands for each entry of a list. The file as a whole can have the
        issues <Codes codes={fileCodes} />.
      </p>
      <dl className="flex min-w-0 flex-col divide-y divide-line rounded-card border border-line wrap-anywhere">
        {keys.map((key) => (
          <Key key={key.path} entry={key} />
        ))}
      </dl>
    </>
  );
}

function Key({ entry }: { entry: ManifestKey }) {
  const { path, type, required, values, limits, description, example, codes } = entry;
  const facts = [
    ...(values.length > 0 ? [`one of ${values.join(", ")}`] : []),
    ...limits,
    ...(entry.default === undefined ? [] : [`default ${entry.default}`]),
  ];
  return (
    <div id={keyAnchor(path)} className="group min-w-0 scroll-mt-4 px-4 py-3 target:bg-accent-soft sm:px-5">
      <dt className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <code translate="no" className="font-mono text-small font-medium wrap-anywhere text-ink">
          {path}
        </code>
        <span className="text-xs text-ink-faint">{type}</span>
        {required && <span className="text-xs font-medium text-warning">required</span>}
        <a
          href={`#${keyAnchor(path)}`}
          data-heading-link
          aria-label={`Link to ${path}`}
          className="rounded-sm px-1 text-xs text-ink-faint opacity-0 group-hover:opacity-100 focus-visible:opacity-100 print:hidden any-pointer-coarse:opacity-100"
        >
          #
        </a>
      </dt>
      <dd className="mt-1 flex min-w-0 flex-col gap-1 text-small leading-5">
        <p className="text-ink-soft">{description}</p>
        {facts.length > 0 && <p className="text-ink-faint">{sentence(facts)}</p>}
        {example !== undefined && (
          <p className="min-w-0 text-ink-faint">
            Example:{" "}
            <code translate="no" className="font-mono wrap-anywhere text-ink-soft">
              {example}
            </code>
          </p>
        )}
        <p className="text-xs text-ink-faint">
          Issues: <Codes codes={codes} />
        </p>
      </dd>
    </div>
  );
}

/** Each leads to its entry in the list of errors. */
export function Codes({ codes }: { codes: readonly string[] }) {
  return codes.map((code, index) => (
    <Fragment key={code}>
      {index > 0 && ", "}
      <TextLink
        translate="no"
        href={errorEntryPath(code) ?? errorPath(code)}
        standalone
        className="inline-flex min-h-6 items-center font-mono text-xs wrap-anywhere"
      >
        {code}
      </TextLink>
    </Fragment>
  ));
}

function sentence(facts: readonly string[]): string {
  const text = facts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
