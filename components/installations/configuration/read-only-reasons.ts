/** Why a member cannot configure or upgrade an installation now; undefined if they can. */
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";

interface Reason {
  title: string;
  text: string;
}

type Installation = Pick<InstallationView, "state" | "test" | "upgrade">;

export function whyNotConfigurable({ state, test, upgrade }: Installation, role: Role): Reason | undefined {
  if (state === "UNINSTALLED")
    return {
      title: "This app was uninstalled",
      text: "Its settings and secrets were deleted. To use the app again, launch it from the marketplace.",
    };
  if (state === "UNINSTALLING")
    return {
      title: "This app is being uninstalled",
      text: "Its settings and secrets are deleted when that is done.",
    };
  if (!mayOperate(role, test))
    return {
      title: "You can view but not change this configuration",
      text: "Publishers can only configure a Test Launch. Ask an operator or an owner of your organization.",
    };
  if (upgrade?.state === "STARTING")
    return {
      title: `Upgrading to ${upgrade.to}`,
      text: "You can change the configuration when the new version has started.",
    };
  return undefined;
}

export function whyNotUpgradable({ state, test, upgrade }: Installation, role: Role): Reason | undefined {
  if (!mayOperate(role, test))
    return {
      title: "You can view but not upgrade this installation",
      text: "Publishers can only upgrade a Test Launch. Ask an operator or an owner of your organization.",
    };
  if (upgrade?.state === "STARTING" || upgrade?.state === "DRAINING")
    return {
      title: `Already upgrading to ${upgrade.to}`,
      text: "Wait until that upgrade is done, then try again.",
    };
  switch (state) {
    case "RUNNING":
    case "STOPPED":
    case "ERROR":
      return undefined;
    case "LAUNCHING":
      return {
        title: "This app is being launched",
        text: "You can upgrade it when that is done.",
      };
    case "STOPPING":
      return { title: "This app is being stopped", text: "You can upgrade it when that is done." };
    case "UNINSTALLING":
      return { title: "This app is being uninstalled", text: "It can no longer be upgraded." };
    case "UNINSTALLED":
      return { title: "This app was uninstalled", text: "To use it again, launch it from the marketplace." };
  }
}
