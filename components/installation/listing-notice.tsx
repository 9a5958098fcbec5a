import { Notice } from "@/components/ui/notice";
import { UserText } from "@/components/ui/user-text";
import type { InstallationView } from "@/lib/contract/installation-view";

/** Says that the app was suspended or retired, and what that means for what runs. */
export function ListingNotice({ installation }: { installation: InstallationView }) {
  const { listing, state, test } = installation;
  if (test || state === "UNINSTALLED") return null;
  if (listing.state === "SUSPENDED")
    return (
      <Notice tone="warning" title="A moderator suspended this app">
        {listing.suspension !== null && (
          <p className="mb-1 whitespace-pre-wrap">
            <UserText>{listing.suspension}</UserText>
          </p>
        )}
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        Nobody can launch the app or upgrade to its versions until it is reinstated.
      </Notice>
    );
  if (listing.state === "RETIRED")
    return (
      <Notice title="The publisher retired this app">
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        The app gets no new versions, and nobody can launch it again.
      </Notice>
    );
  return null;
}
