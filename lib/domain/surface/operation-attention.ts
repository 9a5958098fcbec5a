/** What of the running platform needs attention, the worst first. */
import type { BeatingPart, ReportingPart } from "@/lib/contract/platform/availability";
import type { Attention } from "./attention";
import {
  DAY_MS,
  daysUntil,
  describeSeconds,
  listProcesses,
  type Operation,
  QUEUE_NAMES,
  stateOf,
} from "./operation";

const HOUR_MS = 3_600_000;
const GIGABYTE = 1_000_000_000;

/** How late work may be, in seconds: as the alerts in deploy/monitoring. */
const PATIENCE = { events: 60, others: 900 };

const TONES = ["danger", "warning"] as const;

type Finding = Omit<Attention, "tone" | "at" | "action" | "href"> & {
  tone: (typeof TONES)[number];
  at?: Date;
  /** The section of the page. */
  section: "parts" | "work" | "nodes" | "store" | "keys" | "backups";
};

export function listOperationAttention(operation: Operation): Attention[] {
  const found = [
    ...judgeHold(operation),
    ...judgeParts(operation),
    ...judgeReleases(operation),
    ...judgeQueues(operation),
    ...judgeNodes(operation),
    ...judgeStore(operation),
    ...judgeKeys(operation),
    ...judgeCertificates(operation),
    ...judgeBackup(operation),
  ];
  return found
    .map(({ section, ...rest }) => ({ at: undefined, ...rest, href: `#${section}`, action: "Show" }))
    .sort((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

function judgeHold({ hold }: Operation): Finding[] {
  if (hold === null) return [];
  return [
    {
      tone: "warning",
      title: "The platform is on hold",
      context: "Restored from a backup",
      text: "The worker starts no apps and sends no webhooks and no mail. When the original no longer runs, run: npm run restore -- --release",
      at: hold.restoredAt,
      section: "backups",
    },
  ];
}

/** What it means that none of a part works. */
const EFFECTS: Record<BeatingPart, string> = {
  gateway: "Apps can't be called and can't read their state, and no version can be published. Start one.",
  worker: "Events wait, and nothing starts or stops. Running apps keep running. Start one.",
};

function judgeParts(operation: Operation): Finding[] {
  const { processes, now } = operation;
  const listed = listProcesses(operation);
  const isWorking = (part: ReportingPart) =>
    processes.some((one) => one.part === part && stateOf(one, now) === "working");
  const missing = (["gateway", "worker"] as const)
    .filter((part) => !isWorking(part))
    .map((part): Finding => {
      const last = Math.max(
        ...processes.filter((one) => one.part === part).map((one) => one.seenAt.getTime()),
      );
      return {
        tone: "danger",
        title: `No ${part} is available`,
        context: "Parts",
        text: EFFECTS[part],
        ...(Number.isFinite(last) ? { at: new Date(last) } : {}),
        section: "parts",
      };
    });
  const lost = listed
    .filter((one) => stateOf(one, now) === "away" && isWorking(one.part))
    .filter(({ seenAt }) => now.getTime() - seenAt.getTime() < HOUR_MS)
    .map(({ part, host, seenAt }): Finding => ({
      tone: "warning",
      title: `A ${part} stopped reporting`,
      context: host ?? "Parts",
      text: "It did not announce a shutdown. Other processes of this part keep working. The end of its log says why.",
      at: seenAt,
      section: "parts",
    }));
  return [...missing, ...lost];
}

function judgeReleases(operation: Operation): Finding[] {
  const { schema, processes, now, release } = operation;
  const working = processes.filter((one) => stateOf(one, now) === "working");
  const releases = new Set(working.map((one) => one.release ?? "an earlier release"));
  const found: Finding[] = [];
  if (schema === "older")
    found.push({
      tone: "danger",
      title: "The database is older than the release",
      context: `Release ${release}`,
      text: "Run npm run migrate with this release.",
      section: "parts",
    });
  if (schema === "newer")
    found.push({
      tone: "warning",
      title: "The database is newer than the release",
      context: `Release ${release}`,
      text: "A later release has migrated it. Each release works with the schema of the one after it: finish the update, or go back by at most one release.",
      section: "parts",
    });
  if (releases.size > 1)
    found.push({
      tone: "warning",
      title: `Parts of ${releases.size} releases are running`,
      context: [...releases].sort().join(", "),
      text: "This is expected during an update. Finish the update: only neighboring releases work with each other.",
      section: "parts",
    });
  return found;
}

function judgeQueues({ queues, hold }: Operation): Finding[] {
  // Everything waits for the release.
  if (hold !== null) return [];
  return queues.flatMap(({ queue, due, oldestSeconds }): Finding[] => {
    const patience = queue === "deliveries" ? PATIENCE.events : PATIENCE.others;
    if (oldestSeconds <= patience) return [];
    return [
      {
        tone: queue === "deliveries" || oldestSeconds > 4 * patience ? "danger" : "warning",
        title: `${QUEUE_NAMES[queue]} are late`,
        context: `${due.toLocaleString("en-US")} due`,
        text: `The oldest has waited for ${describeSeconds(oldestSeconds)}. To find the cause, see “Work waits” in docs/operating.md.`,
        section: "work",
      },
    ];
  });
}

/** An app that fails is its publisher's concern. A machine on which all fail, while others have healthy ones, is the operator's. */
function judgeNodes({ nodes }: Operation): Finding[] {
  return nodes
    .filter(({ healthy, failing }) => healthy === 0 && failing > 1)
    .filter((lost) => nodes.some((other) => other !== lost && other.healthy > 0))
    .map(({ node, failing }) => ({
      tone: "danger",
      title: `All ${failing} apps on one machine fail their health checks`,
      context: node ?? "Machine unknown",
      text: "Apps on other machines are healthy. Check the machine and its network, or drain it.",
      section: "nodes",
    }));
}

function judgeStore({ store: { name, disk, problem } }: Operation): Finding[] {
  const context = name === "folder" ? "Data folder" : "Registry";
  const found: Finding[] = [];
  if (problem !== null)
    found.push({
      tone: "danger",
      title: "The image store doesn't respond",
      context,
      text: `${problem} Running apps keep running. Apps can't start, and versions can't be published.`,
      section: "store",
    });
  const share = disk === null ? 1 : disk.freeBytes / disk.totalBytes;
  if (disk !== null && (share < 0.1 || disk.freeBytes < 2 * GIGABYTE))
    found.push({
      tone: share < 0.03 || disk.freeBytes < GIGABYTE / 2 ? "danger" : "warning",
      title: "The image store's disk is almost full",
      context,
      text: `${Math.round(share * 100)}% is free. When it is full, uploads are refused, but nothing that was stored is lost.`,
      section: "store",
    });
  return found;
}

function judgeKeys({ masterKeys }: Operation): Finding[] {
  const current = masterKeys.find(({ isCurrent }) => isCurrent)?.id ?? "";
  return masterKeys.flatMap(({ id, isCurrent, isPresent, wraps }): Finding[] => {
    if (isCurrent || wraps === 0) return [];
    const stored = `${wraps.toLocaleString("en-US")} stored ${wraps === 1 ? "key" : "keys"}`;
    if (!isPresent)
      return [
        {
          tone: "danger",
          title: `The master key ${id} is missing`,
          context: "Master keys",
          text: `${stored} can't be opened without it. Add it to PLATFORM_MASTER_KEYS, after the current one.`,
          section: "keys",
        },
      ];
    return [
      {
        tone: "warning",
        title: "The rotation of the master keys is not complete",
        context: `${id} to ${current}`,
        text: `${stored} left. Run npm run keys:rotate until it says that it is complete.`,
        section: "keys",
      },
    ];
  });
}

function judgeCertificates({ certificates, now }: Operation): Finding[] {
  return certificates.flatMap(({ of, validUntil }): Finding[] => {
    const days = daysUntil(validUntil, now);
    if (days > 21) return [];
    const isOver = validUntil <= now;
    return [
      {
        tone: days <= 7 ? "danger" : "warning",
        title: `The certificate of ${of} ${isOver ? "has expired" : "expires soon"}`,
        context: isOver ? "Certificates" : days === 1 ? "1 day left" : `${days} days left`,
        text: "Renew it. When it has expired, connections are refused.",
        at: validUntil,
        section: "keys",
      },
    ];
  });
}

function judgeBackup({ backup, now }: Operation): Finding[] {
  if (backup === null)
    return [
      {
        tone: "warning",
        title: "No backup has been made yet",
        context: "Backups",
        text: "Run npm run backup every night, and keep the master keys elsewhere.",
        section: "backups",
      },
    ];
  const age = now.getTime() - backup.takenAt.getTime();
  const found: Finding[] = [];
  if (age > 2 * DAY_MS)
    found.push({
      tone: age > 7 * DAY_MS ? "danger" : "warning",
      title: "The last backup is old",
      context: "Backups",
      text: `It is ${Math.floor(age / DAY_MS)} days old. Find out why the nightly backup doesn't run.`,
      at: backup.takenAt,
      section: "backups",
    });
  if (backup.lostBlobs > 0)
    found.push({
      tone: "warning",
      title: "The store has lost images",
      context: "Backups",
      text: `The last backup is missing ${backup.lostBlobs === 1 ? "1 blob" : `${backup.lostBlobs} blobs`}. Its output names them: ask their publishers to publish these versions again.`,
      at: backup.takenAt,
      section: "backups",
    });
  return found;
}
