import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { SchemaMember } from "@/lib/domain/calls/events";

export interface DescribedEvent {
  type: string;
  title: string;
  description: string;
  /** Formatted JSON. */
  sample: string;
  schemaPath: string;
  members: SchemaMember[];
}

/** What cores send and apps may rely on. */
export function EventCatalog({ events }: { events: DescribedEvent[] }) {
  return (
    <div className="flex flex-col gap-6">
      {events.map((event) => (
        <CatalogEntry key={event.type} event={event} />
      ))}
    </div>
  );
}

function CatalogEntry({ event }: { event: DescribedEvent }) {
  const { type, title, description, sample, schemaPath, members } = event;
  return (
    <Card
      id={type}
      title={title}
      description={
        <>
          <code translate="no" className="font-mono">
            {type}
          </code>
          : {description}
        </>
      }
      actions={
        <a href={schemaPath} className="text-small text-accent-text underline underline-offset-2">
          JSON Schema<span className="sr-only"> of {type}</span>
        </a>
      }
      flush
    >
      <Table label={`Members of ${type}`}>
        <TableHead columns={["Member", "Type", "Description"]} />
        <TableBody>
          {members.map((member) => (
            <TableRow key={member.path}>
              <TableCell>
                <code translate="no" className="font-mono text-small wrap-anywhere">
                  {member.path}
                </code>
              </TableCell>
              <TableCell>
                <span className="text-small text-ink-faint">
                  {member.type}
                  {!member.required && ", optional"}
                </span>
              </TableCell>
              <TableCell>
                <span className="text-small text-ink-soft">{member.description}</span>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <div className="border-t border-line p-4 sm:p-6">
        <CodeBlock label={`sample of ${type}`} code={sample} json />
      </div>
    </Card>
  );
}
