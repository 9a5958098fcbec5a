/** What needs attention on the home page, the worst first. */
import type { InstallationStatus } from "@/lib/contract/health";
import type { Role } from "@/lib/contract/role";
import { mayOperate } from "../installation";
import type { Attention } from "./attention";
import { listPublishing, type PublishingFacts } from "./list-publishing";

interface Installed {
  id: string;
  title: string;
  tenantName: string;
  test: boolean;
}

export interface HomeFacts extends PublishingFacts {
  role: Role;
  installations: readonly (Installed & {
    status: InstallationStatus;
    /** Why it is in its status; undefined while it simply runs. */
    reason: string | undefined;
    since: Date | undefined;
    /** The version it can be upgraded to. */
    upgradeTo: string | null;
  })[];
  /** Installations whose mappings were made for an earlier schema. */
  changedProducts: readonly (Installed & { products: string[]; changedAt: Date })[];
  deadDeliveries: readonly (Installed & { count: number; since: Date })[];
}

const TONES = ["danger", "warning", "accent", "draft"] as const;

export function listAttention(facts: HomeFacts): Attention[] {
  const all = [
    ...facts.installations.flatMap(describeTrouble),
    ...facts.deadDeliveries.map(describeDeliveries),
    ...facts.changedProducts.map(describeProducts),
    ...listPublishing(facts),
    ...facts.installations.flatMap((installation) => describeUpgrade(installation, facts.role)),
  ];
  return all.sort((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

const TROUBLE = {
  ERROR: { tone: "danger", text: "It could not start." },
  DOWN: { tone: "danger", text: "It is down." },
  DEGRADED: { tone: "warning", text: "It is running, but some calls or health checks fail." },
} as const;

function describeTrouble({
  status,
  reason,
  since,
  ...installed
}: HomeFacts["installations"][number]): Attention[] {
  if (status !== "ERROR" && status !== "DOWN" && status !== "DEGRADED") return [];
  const { tone, text } = TROUBLE[status];
  return [{ ...locate(installed), tone, text: reason ?? text, at: since, action: "Open" }];
}

function describeUpgrade(
  { upgradeTo, status, ...installed }: HomeFacts["installations"][number],
  role: Role,
): Attention[] {
  const isSettled = status !== "UNINSTALLING" && status !== "UNINSTALLED";
  if (upgradeTo === null || !isSettled || !mayOperate(role, installed.test)) return [];
  const { href, ...place } = locate(installed);
  const text = `Version ${upgradeTo} is available.`;
  return [{ ...place, tone: "accent", text, at: undefined, href: `${href}/upgrade`, action: "Upgrade" }];
}

function describeDeliveries({ count, since, ...installed }: HomeFacts["deadDeliveries"][number]): Attention {
  const what = count === 1 ? "1 event was" : `${count} events were`;
  const text = `${what} not delivered after all retries.`;
  return { ...locate(installed), tone: "warning", text, at: since, action: "Open" };
}

function describeProducts({
  products,
  changedAt,
  ...installed
}: HomeFacts["changedProducts"][number]): Attention {
  const { href, ...place } = locate(installed);
  const text = `${products.join(", ")} changed in the core since ${products.length === 1 ? "its mapping was" : "their mappings were"} saved.`;
  return {
    ...place,
    tone: "warning",
    text,
    at: changedAt,
    href: `${href}/configure`,
    action: "Check mappings",
  };
}

function locate({ id, title, tenantName, test }: Installed) {
  const context = test ? `Test Launch on ${tenantName}` : tenantName;
  return { title, context, href: `/installations/${id}` };
}
