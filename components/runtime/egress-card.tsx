import { Globe } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Card, MoreNote } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { formatBytes, UserText } from "@/components/ui/values";
import {
  type EgressReader,
  type EgressRow,
  type EgressView,
  explainBlindness,
} from "@/lib/domain/runtime/egress/view-egress";
import { FEWER_HOSTS, type FewerHosts } from "@/lib/domain/catalog/fewer-hosts";
import { UTC, writeTime } from "@/lib/domain/platform/zone";

const WORDS: Record<EgressReader, { title: string; nothing: string; about: string; columns: string[] }> = {
  customer: {
    title: "Where this app sends data",
    nothing: "It didn't connect to any host in this period.",
    about:
      "One container serves all customers of the app, so this is what it did for all of them, not only for you. Connections with TLS stay encrypted: the platform sees the host's name, not what is sent.",
    columns: ["Host", "Last used"],
  },
  publisher: {
    title: "Where it sends data",
    nothing: "It didn't connect to any host in this period.",
    about:
      "All versions and customers together. Connections with TLS stay encrypted: the platform sees the host's name and counts bytes, not what is sent.",
    columns: ["Host", "Connections", "Sent", "Received", "Refused", "Last used"],
  },
  reviewer: {
    title: "Hosts tried during the checks",
    nothing: "It didn't try to connect to any host.",
    about: "What the app tried with two made-up customers, refused attempts first.",
    columns: ["Host", "Connections", "Refused"],
  },
};

interface EgressCardProps {
  view: EgressView;
  /** Before the table, such as a proposal. */
  children?: ReactNode;
  /** What the reader decided about each optional host, by its name. */
  access?: ReadonlyMap<string, ReactNode>;
}

const NOTHING_DECIDED: ReadonlyMap<string, ReactNode> = new Map();

/** Where an app sends data: its declared hosts beside those that it used or tried, or why that is not known. */
export function EgressCard({ view, children, access = NOTHING_DECIDED }: EgressCardProps) {
  const { reader, blindness, since, left } = view;
  const { title, nothing, about, columns: ofUse } = WORDS[reader];
  const isKnown = since !== null;
  // What was not watched has no use to show: only what is decided is left.
  const rows = isKnown ? view.rows : view.rows.filter((row) => accessOf(row, access) !== undefined);
  const columns = isKnown
    ? ofUse.toSpliced(1, 0, ...(access.size > 0 ? ["Access"] : []))
    : ["Host", "Access"];
  const hasTable = rows.length > 0;
  return (
    <Card
      id="egress"
      title={title}
      description={
        isKnown && reader !== "reviewer"
          ? // It is counted by days of UTC.
            `In the last 90 days, watched since ${writeTime(since, "monthDay", UTC)} (${UTC}).`
          : undefined
      }
      flush
    >
      <div className="flex flex-col gap-4 px-4 pb-4 text-small leading-5 text-ink-soft sm:px-6">
        {blindness !== null && <p>{explainBlindness(blindness)}</p>}
        {blindness === null && !isKnown && (
          <p>The platform has not watched this app&apos;s connections yet.</p>
        )}
        {isKnown && <p>{rows.length === 0 ? `${nothing} ${about}` : about}</p>}
        {children}
      </div>
      {hasTable && (
        <Table label={title}>
          <TableHead columns={columns} />
          <TableBody>
            {rows.map((row) => (
              <HostRow
                key={row.host ?? row.words}
                row={row}
                reader={reader}
                access={access.size > 0 ? (accessOf(row, access) ?? "Allowed") : undefined}
                isWatched={isKnown}
              />
            ))}
          </TableBody>
        </Table>
      )}
      {isKnown && hasTable && <MoreNote flush count={left} one="host" many="hosts" />}
    </Card>
  );
}

const accessOf = ({ host, isOptional }: EgressRow, access: ReadonlyMap<string, ReactNode>): ReactNode =>
  isOptional && host !== undefined ? access.get(host) : undefined;

interface HostRowProps {
  row: EgressRow;
  reader: EgressReader;
  /** Undefined where nothing is to be decided. */
  access: ReactNode;
  isWatched: boolean;
}

function HostRow({ row, reader, access, isWatched }: HostRowProps) {
  const { connections, bytesOut, bytesIn, refused, firstUsedAt, usedAt } = row;
  const lastUsed = (
    <TableCell label="Last used" className="whitespace-nowrap text-ink-soft">
      {usedAt === null ? "Not used" : <RelativeTime at={usedAt} />}
      {firstUsedAt !== null && firstUsedAt !== usedAt && (
        <span className="block text-xs text-ink-faint">
          First used <RelativeTime at={firstUsedAt} />
        </span>
      )}
    </TableCell>
  );
  if (reader === "customer")
    return (
      <TableRow>
        <HostCell row={row} />
        {access !== undefined && (
          <TableCell label="Access" className="text-ink-soft max-sm:w-full sm:min-w-44">
            {access}
          </TableCell>
        )}
        {isWatched && lastUsed}
      </TableRow>
    );
  return (
    <TableRow>
      <HostCell row={row} showsReason />
      <NumberCell label="Connections" value={connections} />
      {reader === "publisher" && <NumberCell label="Sent" value={bytesOut} format={formatBytes} />}
      {reader === "publisher" && <NumberCell label="Received" value={bytesIn} format={formatBytes} />}
      <NumberCell label="Refused" value={refused} isBad />
      {reader === "publisher" && lastUsed}
    </TableRow>
  );
}

interface NumberCellProps {
  label: string;
  value: number;
  format?: (value: number) => string;
  /** Anything but none is a problem. */
  isBad?: boolean;
}

/** A phone shows only what there is. */
function NumberCell({ label, value, format = formatNumber, isBad = false }: NumberCellProps) {
  const color = value === 0 ? "text-ink-faint max-sm:hidden" : isBad ? "text-danger" : "text-ink-soft";
  return (
    <TableCell label={label} className={`whitespace-nowrap tabular-nums ${color}`}>
      {value === 0 ? "–" : format(value)}
    </TableCell>
  );
}

const formatNumber = (value: number) => value.toLocaleString("en-US");

/** Its name, whether the manifest has it, and what for. */
function HostCell({ row, showsReason = false }: { row: EgressRow; showsReason?: boolean }) {
  const { host, words, purpose, among, isDeclared, isOptional, refused, reason } = row;
  return (
    <TableCell className="min-w-0 max-sm:w-full sm:min-w-64">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {host === undefined ? (
          <span className="inline-flex items-center gap-1.5 text-ink">
            <Globe aria-hidden className="size-4 shrink-0 text-ink-faint" />
            <UserText>{words ?? ""}</UserText>
          </span>
        ) : (
          <bdi translate="no" className="font-mono text-small wrap-anywhere text-ink">
            {host}
          </bdi>
        )}
        {!isDeclared && host !== undefined && <Badge tone="warning">Not declared</Badge>}
        {isOptional && <Badge>Optional</Badge>}
      </span>
      {purpose !== undefined && (
        <span className="block text-small leading-5 wrap-anywhere text-ink-faint">
          <UserText>{purpose}</UserText>
        </span>
      )}
      {among.length > 0 && (
        <span translate="no" className="block font-mono text-xs leading-5 wrap-anywhere text-ink-faint">
          {among.join(", ")}
        </span>
      )}
      {showsReason && refused > 0 && reason !== null && (
        <span className="block text-small leading-5 wrap-anywhere text-danger">
          Refused: {host === undefined ? "the app" : "it"} <UserText>{reason}</UserText>.
        </span>
      )}
    </TableCell>
  );
}

const SHOWN_UNUSED = 5;

/** Proposes a manifest with fewer hosts, which one click opens in the editor. */
export function FewerHostsNotice({
  appName,
  proposal: { declared, used, unused },
}: {
  appName: string;
  proposal: FewerHosts;
}) {
  const more = unused.length - SHOWN_UNUSED;
  return (
    <Notice
      title={`Declared ${declared === 1 ? "1 host" : `${declared} hosts`}, used ${used} in 90 days`}
      actions={
        <LinkButton size="small" href={`/publish/${appName}/manifest?propose=${FEWER_HOSTS}`}>
          Remove {unused.length === 1 ? "it" : "them"} in the editor
        </LinkButton>
      }
    >
      The app was watched for at least 14 days and never tried to connect to{" "}
      <span translate="no" className="font-mono text-small wrap-anywhere">
        {unused.slice(0, SHOWN_UNUSED).join(", ")}
      </span>
      {more > 0 && ` and ${more} more`}. Customers agree more easily to an app that asks for less.
    </Notice>
  );
}
