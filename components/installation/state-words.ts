import type { InstallationView } from "@/lib/contract/installation-view";

export interface StateWords {
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
