import { CircleCheck, Server } from "lucide-react";
import { type Tone, Badge } from "@/components/ui/badge";
import { Card, EmptyState, MoreNote } from "@/components/ui/card";
import { FactList } from "@/components/ui/fact-list";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { formatBytes } from "@/components/ui/values";
import {
  daysUntil,
  describeSeconds,
  listProcesses,
  type Operation,
  PART_NAMES,
  type PartProcess,
  type ProcessState,
  QUEUE_NAMES,
  stateOf,
} from "@/lib/domain/surface/operation";
import { listOperationAttention } from "@/lib/domain/surface/operation-attention";
import { AttentionItems } from "./attention-card";

const RUNTIMES: Record<string, string> = { docker: "Docker", kubernetes: "Kubernetes", process: "processes" };

/** What needs attention, and then everything. */
export function OperationView({ operation }: { operation: Operation }) {
  const attention = listOperationAttention(operation);
  return (
    <div className="flex flex-col gap-6 *:scroll-mt-20 lg:*:scroll-mt-4">
      {attention.length === 0 ? (
        <Card flush>
          <EmptyState icon={CircleCheck} title="Nothing needs attention">
            Parts that are unavailable, late work, a full disk, keys, certificates, and backups appear here.
          </EmptyState>
        </Card>
      ) : (
        <Card flush title="Needs attention">
          <AttentionItems attention={attention} />
        </Card>
      )}
      <PartsCard operation={operation} />
      <WorkCard operation={operation} />
      <NodesCard operation={operation} />
      <StoreCard operation={operation} />
      <KeysCard operation={operation} />
      <BackupsCard operation={operation} />
    </div>
  );
}

const STATES: Record<ProcessState, readonly [Tone, string]> = {
  working: ["success", "Working"],
  ending: ["accent", "Ending"],
  ended: ["neutral", "Ended"],
  away: ["danger", "Not reporting"],
};

const SCHEMAS = {
  same: "The database has the schema of this release",
  older: "The database is older than this release",
  newer: "The database is newer than this release",
} as const;

function PartsCard({ operation }: { operation: Operation }) {
  const { release, schema, now } = operation;
  const processes = listProcesses(operation);
  return (
    <Card
      id="parts"
      flush
      title="Parts"
      description={
        <>
          {SCHEMAS[schema]}, <span translate="no">{release}</span>.
        </>
      }
    >
      <Table label="Parts">
        <TableHead columns={["Part", "State", "Machine", "Release", "Started", "Last report"]} />
        <TableBody>
          {processes.map((process) => (
            <PartRow key={process.id} process={process} now={now} />
          ))}
        </TableBody>
      </Table>
      <MoreNote flush count={operation.moreProcesses} one="process" many="processes">
        They reported earlier today.
      </MoreNote>
    </Card>
  );
}

function PartRow({ process, now }: { process: PartProcess; now: Date }) {
  const { part, host, release, startedAt, seenAt } = process;
  const [tone, text] = STATES[stateOf(process, now)];
  return (
    <TableRow>
      <TableCell className="font-medium text-ink">{PART_NAMES[part]}</TableCell>
      <TableCell>
        <Badge tone={tone} dot>
          {text}
        </Badge>
      </TableCell>
      <TableCell translate="no" label="Machine" className="font-mono text-small wrap-anywhere text-ink-soft">
        {host ?? "unknown"}
      </TableCell>
      <TableCell translate="no" label="Release" className="text-ink-soft tabular-nums">
        {release ?? "earlier"}
      </TableCell>
      <TableCell label="Started" className="whitespace-nowrap text-ink-soft">
        {host === null ? "unknown" : <RelativeTime at={startedAt} />}
      </TableCell>
      <TableCell label="Last report" className="whitespace-nowrap text-ink-soft">
        <RelativeTime at={seenAt} />
      </TableCell>
    </TableRow>
  );
}

const format = (count: number) => count.toLocaleString("en-US");
const plural = (count: number, noun: string) => `${format(count)} ${noun}${count === 1 ? "" : "s"}`;

function WorkCard({ operation: { queues, failing } }: { operation: Operation }) {
  return (
    <Card
      id="work"
      flush
      title="Work"
      description="The work that is waiting, and how long the platform itself has delayed the oldest item. Events for apps that aren't running don't count as late."
    >
      <Table label="Queues">
        <TableHead columns={["Queue", "Due", "In progress", "Oldest"]} />
        <TableBody>
          {queues.map(({ queue, due, leased, oldestSeconds }) => (
            <TableRow key={queue}>
              <TableCell className="font-medium text-ink">{QUEUE_NAMES[queue]}</TableCell>
              <TableCell label="Due" className="text-ink-soft tabular-nums">
                {format(due)}
              </TableCell>
              <TableCell label="In progress" className="text-ink-soft tabular-nums">
                {format(leased)}
              </TableCell>
              <TableCell label="Oldest" className="text-ink-soft tabular-nums">
                {oldestSeconds === 0 ? "–" : describeSeconds(oldestSeconds)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <div className="border-t border-line p-4 sm:p-6">
        <FactList
          rows={[
            {
              key: "failing",
              name: "Failing apps",
              value: [
                `${plural(failing.installations, "installation")} in error`,
                `${plural(failing.versions, "version")} not restarted after crashes`,
                `${plural(failing.breakers, "circuit breaker")} open`,
              ].join(", "),
            },
          ]}
        />
      </div>
    </Card>
  );
}

function NodesCard({ operation: { nodes, moreNodes } }: { operation: Operation }) {
  return (
    <Card id="nodes" flush title="Instances" description="Where apps are running now.">
      {nodes.length === 0 ? (
        <EmptyState icon={Server} title="No apps are running">
          An app starts when somebody launches it, or when a call wakes it.
        </EmptyState>
      ) : (
        <Table label="Instances by machine">
          <TableHead columns={["Machine", "Healthy", "Failing checks", "Starting", "Draining"]} />
          <TableBody>
            {nodes.map(({ node, runtime, healthy, failing, starting, draining }) => (
              <TableRow key={`${runtime} ${node ?? ""}`}>
                <TableCell className="wrap-anywhere">
                  <span translate="no" className="font-mono text-small text-ink">
                    {node ?? "unknown"}
                  </span>{" "}
                  <span className="text-ink-soft">{RUNTIMES[runtime] ?? runtime}</span>
                </TableCell>
                <TableCell label="Healthy" className="text-ink-soft tabular-nums">
                  {format(healthy)}
                </TableCell>
                <TableCell
                  label="Failing checks"
                  className={failing > 0 ? "text-danger tabular-nums" : "text-ink-soft tabular-nums"}
                >
                  {format(failing)}
                </TableCell>
                <TableCell label="Starting" className="text-ink-soft tabular-nums">
                  {format(starting)}
                </TableCell>
                <TableCell label="Draining" className="text-ink-soft tabular-nums">
                  {format(draining)}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      <MoreNote flush count={moreNodes} one="machine" many="machines">
        They run fewer apps.
      </MoreNote>
    </Card>
  );
}

function StoreCard({ operation: { store } }: { operation: Operation }) {
  const { name, blobs, bytes, disk, problem } = store;
  return (
    <Card id="store" title="Image store">
      <FactList
        rows={[
          { key: "kind", name: "Kind", value: name === "folder" ? "Data folder" : "Registry" },
          {
            key: "state",
            name: "State",
            value:
              problem === null ? (
                <Badge tone="success" dot>
                  Available
                </Badge>
              ) : (
                <Badge tone="danger" dot>
                  {problem}
                </Badge>
              ),
          },
          { key: "content", name: "Content", value: `${formatBytes(bytes)} in ${plural(blobs, "blob")}` },
          ...(disk === null
            ? []
            : [
                {
                  key: "disk",
                  name: "Free",
                  value: `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)}`,
                },
              ]),
        ]}
      />
    </Card>
  );
}

function KeysCard({ operation }: { operation: Operation }) {
  const { masterKeys, signingKeys, certificates, now } = operation;
  return (
    <Card id="keys" title="Keys and certificates">
      <FactList
        rows={[
          ...masterKeys.map(({ id, isCurrent, isPresent, wraps }) => ({
            key: `master-${id}`,
            name: isCurrent ? "Master key" : "Earlier master key",
            value: (
              <>
                <code translate="no">{id}</code>
                {isCurrent
                  ? `, protects ${plural(wraps, "stored key")}`
                  : wraps > 0
                    ? `, ${plural(wraps, "stored key")} left to rotate`
                    : ", no longer protects anything"}
                {!isPresent && ", missing in PLATFORM_MASTER_KEYS"}
              </>
            ),
          })),
          ...signingKeys.map(({ id, createdAt }, index) => ({
            key: id,
            name: index === 0 ? "Signing key" : "Earlier signing key",
            value: (
              <>
                <code translate="no" className="text-small">
                  {id}
                </code>
                , created <RelativeTime at={createdAt} />
              </>
            ),
          })),
          ...certificates.map(({ of, validUntil }) => ({
            key: of,
            name: `Certificate of ${of}`,
            value:
              validUntil > now ? (
                <>
                  {plural(daysUntil(validUntil, now), "day")} left, until <ExactTime at={validUntil} />
                </>
              ) : (
                <>
                  Expired <RelativeTime at={validUntil} />
                </>
              ),
          })),
        ]}
      />
    </Card>
  );
}

function BackupsCard({ operation: { backup, hold } }: { operation: Operation }) {
  const held =
    hold === null
      ? []
      : [
          {
            key: "hold",
            name: "On hold",
            value: (
              <>
                Restored <RelativeTime at={hold.restoredAt} />, from a backup taken{" "}
                <RelativeTime at={hold.backedUpAt} />
              </>
            ),
          },
        ];
  const last =
    backup === null
      ? [{ key: "last", name: "Last backup", value: "None is recorded" }]
      : [
          {
            key: "last",
            name: "Last backup",
            value: (
              <>
                Taken <RelativeTime at={backup.takenAt} />, {formatBytes(backup.bytes)}
              </>
            ),
          },
          {
            key: "checked",
            name: "Checked",
            value:
              backup.checkedAt === null ? (
                <>
                  Not checked yet: run <code translate="no">npm run backup -- --check</code>
                </>
              ) : (
                <RelativeTime at={backup.checkedAt} />
              ),
          },
          ...(backup.lostBlobs === 0
            ? []
            : [
                {
                  key: "lost",
                  name: "Missing",
                  value: `${plural(backup.lostBlobs, "blob")} that the store has lost`,
                },
              ]),
        ];
  return (
    <Card id="backups" title="Backups">
      <FactList rows={[...held, ...last]} />
    </Card>
  );
}
