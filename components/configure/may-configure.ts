import type { InstallationView } from "@/lib/contract/installation-view";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";

/** Why this person cannot change the configuration now; undefined: it can be changed. */
export function whyFixed(
  { state, test, upgrade }: Pick<InstallationView, "state" | "test" | "upgrade">,
  role: Role,
): { title: string; text: string } | undefined {
  if (state === "UNINSTALLED")
    return {
      title: "It was uninstalled",
      text: "Its settings and secrets are removed. Launch the app again from the marketplace.",
    };
  if (state === "UNINSTALLING")
    return {
      title: "It is being uninstalled",
      text: "Its settings and secrets are removed in a moment, so there is nothing to change.",
    };
  if (!mayOperate(role, test))
    return {
      title: "You can look, not change",
      text: "Publishers may only configure a Test Launch. Ask an operator or an owner of your organization.",
    };
  if (upgrade?.state === "STARTING")
    return {
      title: `It is moving to ${upgrade.to}`,
      text: "The new version is being started. Its configuration can be changed once it has moved.",
    };
  return undefined;
}
