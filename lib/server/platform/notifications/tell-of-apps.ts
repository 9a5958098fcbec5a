/** Notifications about apps from the worker and the publish API. */
import type { Db } from "../database/connect";
import { notify, notifyEnd } from "./notify";
import { selectInstallationNames, selectListingNames, selectVersionNames } from "./notify-queries";

const PUBLISHERS = ["owner", "publisher"] as const;
const OPERATORS = ["owner", "operator"] as const;

/** A version that customers run stopped working, or works again (`reason` null). Notifies its publisher. */
export async function tellOfApp(tx: Db, versionId: string, reason: string | null): Promise<void> {
  const version = await selectVersionNames(tx, versionId);
  if (version === undefined) return;
  const about = { kind: "app-error", subject: `version:${versionId}` } as const;
  const app = `${version.title} ${version.number}`;
  if (reason === null) return notifyEnd(tx, { ...about, title: `${app} is running again` });
  if (!version.hasCustomers) return;
  await notify(tx, {
    ...about,
    to: { organizationId: version.organizationId, roles: PUBLISHERS },
    title: `${app} stopped working`,
    body: reason,
    href: `/publish/${version.appName}`,
    lasts: true,
  });
}

/**
 * An installation failed, or is running again (`reason` null). Notifies its operators; for a Test Launch, the person
 * who launched it.
 */
export async function tellOfInstallation(
  tx: Db,
  installationId: string,
  reason: string | null,
): Promise<void> {
  const found = await selectInstallationNames(tx, installationId);
  if (found === undefined) return;
  const about = { kind: "installation-error", subject: `installation:${installationId}` } as const;
  if (reason === null) return notifyEnd(tx, { ...about, title: `${found.name} is running again` });
  const { organizationId, createdBy } = found;
  await notify(tx, {
    ...about,
    to: found.test ? { userId: createdBy, organizationId } : { organizationId, roles: OPERATORS },
    title: `${found.name} failed`,
    body: reason,
    href: `/installations/${installationId}`,
    lasts: true,
  });
}

/** Deliveries of an installation are dead. Notifies its operators. */
export async function tellOfDeadDeliveries(
  tx: Db,
  installationId: string,
  times: number,
  reason: string,
): Promise<void> {
  const found = await selectInstallationNames(tx, installationId);
  if (found === undefined || found.test) return;
  await notify(tx, {
    kind: "delivery",
    to: { organizationId: found.organizationId, roles: OPERATORS },
    subject: `dead:${installationId}`,
    title: `Events could not be delivered to ${found.name}`,
    body: reason,
    href: `/calls?${new URLSearchParams({ state: "dead", installation: installationId })}`,
    times,
  });
}

/** An app returned 410, so it gets no more of these events. Notifies the installation's operators. */
export async function tellOfEndedSubscription(tx: Db, installationId: string): Promise<void> {
  const found = await selectInstallationNames(tx, installationId);
  if (found === undefined || found.test) return;
  await notify(tx, {
    kind: "delivery",
    to: { organizationId: found.organizationId, roles: OPERATORS },
    subject: `ended:${installationId}`,
    title: `${found.name} ended a subscription`,
    body: "The app returned 410, so it gets no more of these events. To subscribe again, uninstall it and launch it again.",
    href: `/installations/${installationId}`,
  });
}

/** A new version was published. Notifies the publisher's organization, except the person who released it. */
export async function tellOfVersion(
  tx: Db,
  { listingId, number, actor }: { listingId: string; number: string; actor: string },
): Promise<void> {
  const listing = await selectListingNames(tx, listingId);
  if (listing === undefined) return;
  const { organizationId, title, appName } = listing;
  await notify(tx, {
    kind: "version",
    to: { organizationId, roles: PUBLISHERS, except: actor.startsWith("user:") ? actor.slice(5) : undefined },
    subject: `listing:${listingId}`,
    title: `Version ${number} of ${title} is ready`,
    body: "Launch it to test it, then submit it for review.",
    href: `/publish/${appName}`,
  });
}

interface RefusedHost {
  host: string;
  /** As it is called; the publisher must not learn a customer's. */
  shown: string;
  day: string;
  /** Attempts within an hour. */
  lately: number;
  explanation: string;
}

/** A version that customers run tried again and again to connect to a host, without success. Notifies its publisher, once a day. */
export async function tellOfRefusedHost(
  tx: Db,
  versionId: string,
  { host, shown, day, lately, explanation }: RefusedHost,
): Promise<void> {
  const version = await selectVersionNames(tx, versionId);
  if (version?.hasCustomers !== true) return;
  const { organizationId, title, number, appName } = version;
  await notify(tx, {
    kind: "refused-host",
    to: { organizationId, roles: PUBLISHERS },
    subject: `egress:${versionId}:${day}:${host}`,
    title: `${title} ${number} can't connect to ${shown}`,
    body: `${lately} attempts within an hour. ${explanation}`,
    href: `/publish/${appName}/metrics#egress`,
  });
}
