import type { InstallationView } from "@/lib/contract/installation-view";
import type { UpgradeView } from "@/lib/contract/configuration-view";
import { isMoving } from "@/lib/domain/installation";

interface StateWords {
  tone: "info" | "danger";
  title: string;
  /** Of an app that failed, in its words; it may hold the tail of a log. */
  reason?: string;
  text: string;
}

type Stated = Pick<InstallationView, "state" | "reason" | "instance" | "test">;

/** The state and what it means, where it is not simply running. */
export function stateWords({ state, reason, instance, test }: Stated): StateWords | undefined {
  switch (state) {
    case "RUNNING":
      return undefined;
    case "LAUNCHING":
      return info(
        "It is being launched",
        instance?.state === "READY"
          ? "The app is up; its hooks are being called."
          : "The app is being started. This takes some seconds, a minute at most.",
      );
    case "ERROR":
      return {
        tone: "danger",
        title: "It could not be launched",
        reason: reason ?? "The app did not start.",
        text: "Nothing is routed to it. Start it again once the reason is mended; its configuration is kept.",
      };
    case "STOPPING":
      return info("It is being stopped", "Nothing is routed to it any more; its stop hook is being called.");
    case "STOPPED":
      return info(
        "It is stopped",
        "Nothing is routed to it. Its configuration is kept; start it at any time.",
      );
    case "UNINSTALLING":
      return info(
        "It is being uninstalled",
        "Nothing is routed to it any more. Its hooks are being called, then its settings and secrets are removed.",
      );
    case "UNINSTALLED":
      return info(
        "It was uninstalled",
        test
          ? "Its settings and secrets are removed, and its routes are gone."
          : "Its settings and secrets are removed, and its routes are gone. Launch the app again from the marketplace.",
      );
  }
}

function info(title: string, text: string): StateWords {
  return { tone: "info", title, text };
}

/** How long a finished upgrade is still news. */
const NEWS_MS = 10 * 60_000;

export interface UpgradeNews {
  kind: "moving" | "done" | "failed";
  title: string;
  text: string;
  /** Each step, and how far it is; none for what has ended. */
  steps: { text: string; progress: "done" | "now" | "later" }[];
}

type Upgraded = Pick<InstallationView, "state" | "upgrade">;

/** What there is to say of the newest move to another version; `now` in milliseconds. Undefined when it is old news. */
export function upgradeNews({ state, upgrade }: Upgraded, now: number): UpgradeNews | undefined {
  if (upgrade === null || state === "UNINSTALLING" || state === "UNINSTALLED") return undefined;
  const { from, to, rollback } = upgrade;
  const moving = rollback ? `Going back to ${to}` : `Upgrading to ${to}`;
  switch (upgrade.state) {
    case "STARTING":
      return {
        kind: "moving",
        title: moving,
        text: `Starting ${to}; ${from} serves on.`,
        steps: stepsOf(upgrade, 0),
      };
    case "DRAINING":
      return {
        kind: "moving",
        title: moving,
        text: `${to} serves; calls on ${from} are ending.`,
        steps: stepsOf(upgrade, 2),
      };
    case "DONE":
      return upgrade.endedAt !== null && now - Date.parse(upgrade.endedAt) > NEWS_MS
        ? undefined
        : {
            kind: "done",
            title: rollback ? `It is back at ${to}` : `It is at ${to} now`,
            text:
              state === "RUNNING" ? `${to} serves, and no call is left on ${from}.` : `It was at ${from}.`,
            steps: [],
          };
    case "FAILED":
      return {
        kind: "failed",
        title: rollback ? `It could not go back to ${to}` : `The upgrade to ${to} failed`,
        text:
          state === "RUNNING"
            ? `Nothing was lost: ${from} serves on.`
            : `Nothing was lost: it is at ${from}, as before.`,
        steps: [],
      };
  }
}

function stepsOf({ from, to }: UpgradeView, current: number): UpgradeNews["steps"] {
  const texts = [`Start ${to}`, `Send calls to ${to}`, `Let calls on ${from} end`];
  return texts.map((text, index) => ({
    text,
    progress: index < current ? "done" : index === current ? "now" : "later",
  }));
}

/** Where a failed move is looked at again: its target, as far as that can still be moved to. */
export function pathOfTarget(
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

const CLOSELY_MS = 1_000;
const RESTING_MS = 15_000;

type Watched = Pick<InstallationView, "state" | "upgrade">;

/** An upgrade that a worker is still at. */
export function isUpgrading({ upgrade }: Pick<InstallationView, "upgrade">): boolean {
  return upgrade?.state === "STARTING" || upgrade?.state === "DRAINING";
}

/** How long until the page looks again, in milliseconds: short while something happens without anybody's doing. */
export function watchEvery(installation: Watched): number {
  return isMoving(installation.state) || isUpgrading(installation) ? CLOSELY_MS : RESTING_MS;
}
