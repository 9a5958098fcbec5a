import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { catalogSchema, EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { manifestSchema } from "@/lib/contract/catalog/manifest";
import type { DocsSlug } from "@/lib/contract/platform/docs-pages";
import { listMembers } from "@/lib/domain/calls/events";
import type { GuideHeading } from "@/lib/domain/surface/guide";
import { FILE_CODES, listManifestKeys, MANIFEST_EXAMPLE } from "@/lib/domain/surface/manifest-reference";
import { CodeColors } from "./code-fence";
import { EventCatalog } from "./event-catalog";
import { GuideHeadingLine, GuideText } from "./guide-blocks";
import { Codes, KEY_REFERENCE, ManifestReference } from "./manifest-reference";

interface Reference {
  /** For "On this page". */
  headings: Pick<GuideHeading, "id" | "text" | "level">[];
  content: ReactNode;
}

/** What a page shows below its text: a reference that is made from code. */
export function describeReference(slug: DocsSlug): Reference | undefined {
  if (slug === "manifest")
    return {
      headings: [KEY_REFERENCE],
      content: (
        <ManifestReference
          keys={listManifestKeys(manifestSchema(""), MANIFEST_EXAMPLE)}
          fileCodes={FILE_CODES}
        />
      ),
    };
  return slug === "events" ? describeEvents() : undefined;
}

/** A part of the API. */
export function describeOperations(operations: readonly ShownOperation[]): Reference {
  return {
    headings: operations.map(({ id, summary }) => ({ id, text: summary, level: 2 })),
    content: operations.map((operation) => <Operation key={operation.id} operation={operation} />),
  };
}

const CATALOG = { id: "event-catalog", text: "Event catalog", level: 2 } as const;

function describeEvents(): Reference {
  const events = EVENT_CATALOG.map((event) => ({
    type: event.type,
    title: event.title,
    description: event.description,
    sample: JSON.stringify(event.sample, null, 2),
    schemaPath: `/schemas/events/${event.type}.json`,
    members: listMembers(catalogSchema(event, ""), "/data"),
  }));
  return {
    headings: [CATALOG, ...events.map(({ type }) => ({ id: type, text: type, level: 3 as const }))],
    content: (
      <>
        <GuideHeadingLine {...CATALOG} />
        <EventCatalog events={events} />
      </>
    ),
  };
}

interface ShownMember {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

interface ShownContent {
  mediaType: string;
  members: readonly ShownMember[];
  example?: string;
}

interface ShownOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  authentication: string;
  parameters: readonly (ShownMember & { place: string })[];
  body?: ShownContent;
  answer: { status: string; content?: ShownContent };
  problems: readonly { status: string; codes: readonly string[] }[];
  curl: string;
}

function Operation({ operation }: { operation: ShownOperation }) {
  const { id, method, path, summary, description, authentication, parameters, body, answer, problems, curl } =
    operation;
  return (
    <article
      aria-labelledby={id}
      className="min-w-0 rounded-card border border-line bg-surface p-4 wrap-anywhere sm:p-6"
    >
      <GuideHeadingLine level={2} id={id} text={summary} />
      <p translate="no" className="mt-2 font-mono text-small wrap-anywhere">
        <span className="mr-2 rounded bg-accent-soft px-1.5 py-0.5 font-semibold text-accent-text">
          {method}
        </span>
        <span className="text-ink">{path}</span>
      </p>
      {description !== "" && (
        <div className="mt-3 text-sm">
          <GuideText>{description}</GuideText>
        </div>
      )}
      <p className="mt-3 text-small">
        <span className="text-ink-faint">Authentication: </span>
        {authentication}
      </p>
      {parameters.length > 0 && (
        <Members
          title="Parameters"
          members={parameters.map((one) => ({ ...one, type: `${one.type}, in the ${one.place}` }))}
        />
      )}
      {body !== undefined && <Content title="Request body" label={`request body of ${id}`} content={body} />}
      <Title>Request</Title>
      <CodeBlock code={curl} label={`curl command of ${id}`} wrap>
        <CodeColors code={curl} language="sh" />
      </CodeBlock>
      {answer.content === undefined ? (
        <>
          <Title>Response {answer.status}</Title>
          <p className="text-small">No body.</p>
        </>
      ) : (
        <Content title={`Response ${answer.status}`} label={`response of ${id}`} content={answer.content} />
      )}
      <Title>Errors</Title>
      <dl className="flex flex-col gap-1 text-small leading-5">
        {problems.map(({ status, codes }) => (
          <div key={status} className="flex gap-3">
            <dt translate="no" className="w-9 shrink-0 font-mono text-xs leading-6 text-ink-faint">
              {status}
            </dt>
            <dd className="min-w-0">
              <Codes codes={codes} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function Title({ children }: { children: ReactNode }) {
  return <h3 className="mt-5 mb-1.5 text-small font-semibold text-ink">{children}</h3>;
}

function Content({ title, label, content }: { title: string; label: string; content: ShownContent }) {
  const { mediaType, members, example } = content;
  return (
    <>
      {members.length > 0 ? (
        <Members title={title} note={mediaType} members={members} />
      ) : (
        <Title>{title}</Title>
      )}
      {members.length === 0 && (
        <p className="text-small">
          {mediaType === "*/*" ? (
            "Any media type."
          ) : (
            <code translate="no" className="font-mono">
              {mediaType}
            </code>
          )}
        </p>
      )}
      {example !== undefined && (
        <div className="mt-2">
          <CodeBlock code={example} label={`example ${label}`} maxHeight={320}>
            <CodeColors code={example} language="json" />
          </CodeBlock>
        </div>
      )}
    </>
  );
}

function Members({
  title,
  note,
  members,
}: {
  title: string;
  note?: string;
  members: readonly ShownMember[];
}) {
  return (
    <>
      <Title>
        {title}
        {note !== undefined && (
          <span translate="no" className="ml-2 font-mono text-xs font-normal text-ink-faint">
            {note}
          </span>
        )}
      </Title>
      <ul className="divide-y divide-line rounded-field border border-line text-small leading-5">
        {members.map(({ path, type, required, description }) => (
          <li key={path} className="px-3 py-2">
            <span translate="no" className="mr-2 font-mono wrap-anywhere text-ink">
              {path}
            </span>
            <span className="text-xs wrap-anywhere text-ink-faint">
              {type}
              {!required && ", optional"}
            </span>
            {description !== "" && (
              <div className="text-ink-soft">
                <GuideText inline>{description}</GuideText>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
