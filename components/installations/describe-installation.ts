import type { HealthProblem } from "@/lib/contract/insight/health";
import type { UpgradeView } from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { INSTANCE_REASONS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { isMoving } from "@/lib/domain/calls/installation";

interface StateLabel {
  tone: "info" | "warning" | "danger";
  title: string;
  /** Why the app failed, in its own words. */
  reason?: string;
  text: string;
}

type Stated = Pick<InstallationView, "health" | "reason" | "installedAt" | "instance" | "test">;

const WORKER_AWAY = "The platform’s worker is unavailable.";

/**
 * Explains every status but RUNNING.
 * @param isWorkerAway what only the worker does is not being done now
 */
export function describeState(installation: Stated, isWorkerAway = false): StateLabel | undefined {
  const { health, reason, installedAt, instance, test } = installation;
  switch (health.status) {
    case "RUNNING":
      return undefined;
    case "DEGRADED":
      return { tone: "warning", title: "Degraded", text: "The app is running and receives calls." };
    case "DOWN":
      if (isParked(health))
        return {
          tone: "danger",
          title: "Parked after repeated crashes",
          text: "The platform no longer restarts the app. Until it runs again, events wait and other calls fail.",
        };
      return {
        tone: "danger",
        title: "Down",
        text: isWorkerAway
          ? `${WORKER_AWAY} It restarts the app when it is back. Until then, events wait and other calls fail.`
          : "The platform restarts it automatically. Until then, events wait and other calls fail.",
      };
    case "ASLEEP":
      return info(
        "Asleep",
        isWorkerAway
          ? `Nothing called the app for a while, so the platform stopped it. ${WORKER_AWAY} Until it is back, calls can’t start the app, and events wait.`
          : "Nothing called the app for a while, so the platform stopped it. The next call starts it, which takes a few seconds. Events are delivered as usual.",
      );
    case "LAUNCHING":
      return info(
        "Launching",
        isWorkerAway
          ? `${WORKER_AWAY} The launch continues when it is back.`
          : instance?.state === "READY"
            ? "The app is running. Its hooks are being called."
            : "The app is starting. This takes a few seconds, at most a minute.",
      );
    case "ERROR":
      return {
        tone: "danger",
        title: installedAt === null ? "Launch failed" : "Start failed",
        reason: reason ?? "The app did not start.",
        text: "The app receives no calls. Its configuration is kept.",
      };
    case "STOPPING":
      return info(
        "Stopping",
        isWorkerAway
          ? `The app receives no more calls. ${WORKER_AWAY} It finishes stopping the app when it is back.`
          : "The app receives no more calls. Its stop hook is being called.",
      );
    case "STOPPED":
      return info(
        "Stopped",
        "The app receives no calls. Its configuration is kept, and you can start it at any time.",
      );
    case "UNINSTALLING":
      return info(
        "Uninstalling",
        isWorkerAway
          ? `The app receives no more calls. ${WORKER_AWAY} It calls the app’s hooks and deletes its settings and secrets when it is back.`
          : "The app receives no more calls. Its hooks are being called, then its settings and secrets are deleted.",
      );
    case "UNINSTALLED":
      return info(
        "Uninstalled",
        test
          ? "Its settings, secrets, and routes were deleted."
          : "Its settings, secrets, and routes were deleted. To use the app again, launch it from the marketplace.",
      );
  }
}

type Failing = Pick<InstallationView, "health" | "reasonCode" | "installedAt" | "logsPath" | "upgradeTo">;

interface Remedy {
  /** One sentence, or two: what the reader does now. */
  text: string;
  /** The code that the documentation explains. */
  code: ReasonCode | null;
  /** The publisher has to know. */
  contact: boolean;
  /** Starting it again is part of what the reader does; otherwise it would fail as before. */
  starts: boolean;
}

/** The one thing to do about an installation that doesn't work; undefined if there is nothing to do. */
export function findRemedy(installation: Failing): Remedy | undefined {
  const { health, reasonCode, installedAt, logsPath, upgradeTo } = installation;
  const code = reasonCode ?? health.problems.find((problem) => problem.code !== null)?.code ?? null;
  const isStopped = health.status === "ERROR";
  if (!isStopped && health.status !== "DOWN") return undefined;
  const again = isStopped ? "start it again" : "select Start again";
  if (code === null && !isStopped) return undefined;
  if (code === null) {
    const check = installedAt === null ? "Check the settings that you entered" : "Check the configuration";
    return {
      text: `${check}, then ${again}. If it fails again, contact the publisher.`,
      code,
      ...{ contact: true, starts: true },
    };
  }
  const { fixedBy, nextStep } = INSTANCE_REASONS[code];
  // Members of the publisher see its log, and can fix the app.
  if (fixedBy === "publisher" && logsPath !== null)
    return { text: nextStep, code, contact: false, starts: false };
  if (fixedBy === "publisher") {
    if (upgradeTo !== null)
      return {
        text: `Only the publisher can fix this version. Upgrade to ${upgradeTo.number}, which may have the fix, or contact the publisher.`,
        code,
        ...{ contact: true, starts: false },
      };
    return {
      text: "Only the publisher can fix this. Contact the publisher.",
      ...{ code, contact: true, starts: false },
    };
  }
  if (fixedBy === "operator") {
    const then = isStopped ? ` Then ${again}.` : "";
    return {
      text: `Only the platform's operator can fix this: ask them.${then}`,
      code,
      contact: false,
      starts: false,
    };
  }
  return isStopped ? { text: `S${again.slice(1)}.`, code, contact: false, starts: true } : undefined;
}

/** Opens an email to the publisher that names what failed, without anything secret. */
export function supportMail(
  { id, title, version, health, reason, support, name }: Reported,
  code: ReasonCode | null,
): string {
  const cause = reason ?? health.problems[0]?.reason ?? "";
  const body = [
    `App: ${name} ${version}`,
    `Reference: ${id}`,
    ...(code === null ? [] : [`Code: ${code}`]),
    ...(cause === "" ? [] : [`What the platform says: ${cause}`]),
    "",
    "",
  ].join("\n");
  const query = `subject=${encodeURIComponent(`${title} ${version} doesn't work (${id})`)}&body=${encodeURIComponent(body)}`;
  return `mailto:${support.address}?${query}`;
}

type Reported = Pick<InstallationView, "id" | "title" | "name" | "version" | "health" | "reason" | "support">;

/** It crashed so often that it is not restarted anymore. */
export function isParked({ problems }: InstallationView["health"]): boolean {
  return problems.some(({ cause }) => cause === "parked");
}

/** What fails, around the time since when. The reason follows. */
export function describeProblem({ cause, count, eventType, otherTypes }: HealthProblem): {
  before: string;
  after: string;
} {
  switch (cause) {
    case "parked":
      return { before: `The app crashed ${count} times within an hour and was parked`, after: "." };
    case "not-running":
      return { before: "The app stopped running", after: "." };
    case "failures":
      return count === 1
        ? { before: "The app failed", after: " and was restarted." }
        : { before: `The app failed ${count} times and was restarted, the first time`, after: "." };
    case "health-checks":
      return { before: "Its health checks started to fail", after: "." };
    case "deliveries-paused":
      if (otherTypes !== undefined)
        return {
          before: `Deliveries of ${otherTypes === 1 ? "1 more type" : `${otherTypes} more types`} of events were paused, the first`,
          after: ", because the last ones failed too. None is lost.",
        };
      return {
        before: eventType === undefined ? "Deliveries were paused" : `Deliveries of ${eventType} were paused`,
        after: `, because the last ${count} failed. The platform tries a few at least every 30 seconds, and sends the others as soon as the app accepts them again. ${eventType === undefined ? "No event is lost." : "Other events are sent. None is lost."}`,
      };
    case "calls":
      return { before: `The last ${count} calls failed, the first`, after: "." };
  }
}

function info(title: string, text: string): StateLabel {
  return { tone: "info", title, text };
}

/** How long a finished upgrade is still shown. */
const NEWS_MS = 10 * 60_000;

export interface UpgradeNews {
  kind: "moving" | "done" | "failed";
  title: string;
  text: string;
  /** The steps of an upgrade in progress. */
  steps: { text: string; progress: "done" | "now" | "later" }[];
}

type Upgraded = Pick<InstallationView, "state" | "upgrade">;

/**
 * Describes the newest upgrade or rollback, unless it finished long ago; `now` in milliseconds.
 * @param isWorkerAway its steps are not being done now
 */
export function describeUpgrade(
  { state, upgrade }: Upgraded,
  now: number,
  isWorkerAway = false,
): UpgradeNews | undefined {
  if (upgrade === null || state === "UNINSTALLING" || state === "UNINSTALLED") return undefined;
  const { from, to, rollback } = upgrade;
  const moving = rollback ? `Rolling back to ${to}` : `Upgrading to ${to}`;
  switch (upgrade.state) {
    case "STARTING":
      return {
        kind: "moving",
        title: moving,
        text: isWorkerAway
          ? `${from} keeps serving. ${WORKER_AWAY} It starts ${to} when it is back.`
          : `${from} keeps serving while ${to} starts.`,
        steps: listSteps(upgrade, 0, isWorkerAway),
      };
    case "DRAINING":
      return {
        kind: "moving",
        title: moving,
        text: isWorkerAway
          ? `${to} serves new calls. ${WORKER_AWAY} It stops ${from} when it is back.`
          : `${to} serves new calls while calls to ${from} finish.`,
        steps: listSteps(upgrade, 2, isWorkerAway),
      };
    case "DONE":
      return upgrade.endedAt !== null && now - Date.parse(upgrade.endedAt) > NEWS_MS
        ? undefined
        : {
            kind: "done",
            title: rollback ? `Rolled back to ${to}` : `Upgraded to ${to}`,
            text:
              state === "RUNNING"
                ? `${to} serves all calls. None are left on ${from}.`
                : `The previous version was ${from}.`,
            steps: [],
          };
    case "FAILED":
      return {
        kind: "failed",
        title: rollback ? `Rollback to ${to} failed` : `Upgrade to ${to} failed`,
        text:
          state === "RUNNING"
            ? `Nothing was lost. ${from} keeps serving.`
            : `Nothing was lost. The version is still ${from}.`,
        steps: [],
      };
  }
}

function listSteps({ from, to }: UpgradeView, current: number, isWorkerAway: boolean): UpgradeNews["steps"] {
  const texts = [`Start ${to}`, `Send calls to ${to}`, `Finish calls on ${from}`];
  return texts.map((text, index) => ({
    text,
    progress: index < current ? "done" : index === current && !isWorkerAway ? "now" : "later",
  }));
}

/** The upgrade page for the target of a failed upgrade, or for the newest version if that target is gone. */
export function upgradePathTo(
  installation: Pick<InstallationView, "id" | "upgradeTo" | "rollbackTo">,
  number: string,
): string {
  const { id, upgradeTo, rollbackTo } = installation;
  const target = [upgradeTo, rollbackTo].find((each) => each?.number === number);
  return upgradePath(id, target?.versionId);
}

export function upgradePath(installationId: string, versionId?: string): string {
  const path = `/installations/${installationId}/upgrade`;
  return versionId === undefined ? path : `${path}?to=${versionId}`;
}

const MOVING_MS = 1_000;
const SETTLED_MS = 5_000;

/** A worker is still upgrading it. */
export function isUpgrading({ upgrade }: Pick<InstallationView, "upgrade">): boolean {
  return upgrade?.state === "STARTING" || upgrade?.state === "DRAINING";
}

/** How often the page refreshes, in milliseconds: often while something changes by itself. */
export function refreshInterval(installation: Upgraded): number {
  return isMoving(installation.state) || isUpgrading(installation) ? MOVING_MS : SETTLED_MS;
}
