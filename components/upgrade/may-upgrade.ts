import type { InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";

/** Why this person cannot move the installation to another version now; undefined: it can be moved. */
export function whyStuck(
  { state, test, upgrade }: Pick<InstallationView, "state" | "test" | "upgrade">,
  role: Role,
): { title: string; text: string } | undefined {
  if (!mayOperate(role, test))
    return {
      title: "You can look, not upgrade",
      text: "Publishers may only upgrade a Test Launch. Ask an operator or an owner of your organization.",
    };
  if (upgrade?.state === "STARTING" || upgrade?.state === "DRAINING")
    return {
      title: `It is moving to ${upgrade.to} already`,
      text: "Wait until that has ended, then look again.",
    };
  switch (state) {
    case "RUNNING":
    case "STOPPED":
    case "ERROR":
      return undefined;
    case "LAUNCHING":
      return {
        title: "It is being launched",
        text: "It can be upgraded once that has ended, in a minute at most.",
      };
    case "STOPPING":
      return { title: "It is being stopped", text: "It can be upgraded once that has ended." };
    case "UNINSTALLING":
      return { title: "It is being uninstalled", text: "There is nothing left to upgrade." };
    case "UNINSTALLED":
      return { title: "It was uninstalled", text: "Launch the app again from the marketplace instead." };
  }
}
