import { Notice } from "@/components/ui/notice";
import type { InstallationView } from "@/lib/contract/installation-view";

/** The state in words, where it is not simply running. */
export function StateNotice({ installation }: { installation: InstallationView }) {
  switch (installation.state) {
    case "RUNNING":
      return null;
    case "LAUNCHING":
      return (
        <Notice title="It is being launched">
          {installation.instance?.state === "READY"
            ? "The app is up; its hooks are being called."
            : "The app is being started. This takes some seconds, a minute at most."}
        </Notice>
      );
    case "ERROR":
      return (
        <Notice tone="danger" title="It could not be launched">
          <p className="whitespace-pre-line">{installation.reason ?? "The app did not start."}</p>
          <p className="mt-1">Nothing is routed to it. Start it again once the reason is mended.</p>
        </Notice>
      );
    case "STOPPING":
      return (
        <Notice title="It is being stopped">
          Nothing is routed to it any more; its stop hook is being called.
        </Notice>
      );
    case "STOPPED":
      return (
        <Notice title="It is stopped">
          Nothing is routed to it. Its configuration is kept; start it at any time.
        </Notice>
      );
    case "UNINSTALLING":
      return (
        <Notice title="It is being uninstalled">
          Its hooks are being called, then its secrets are removed.
        </Notice>
      );
    case "UNINSTALLED":
      return (
        <Notice title="It was uninstalled">
          Its secrets are removed and its routes are gone. Launch the app again from the marketplace.
        </Notice>
      );
  }
}
