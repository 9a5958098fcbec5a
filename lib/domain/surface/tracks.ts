/** The next steps of a new organization. */
import type { Role } from "@/lib/contract/platform/role";

/** How far an organization has come. */
export interface Progress {
  /** The newest listing's app name. */
  appName: string | null;
  listings: number;
  publicListings: number;
  hasVersion: boolean;
  testLaunches: number;
  hasSubmission: boolean;
  /** Without the sandbox. */
  tenants: number;
  /** Without Test Launches, with uninstalled ones. */
  launches: number;
  /** Without uninstalled ones. */
  installed: number;
}

export interface Step {
  title: string;
  text: string;
  done: boolean;
  href: string;
  action: string;
}

export interface Track {
  title: string;
  steps: Step[];
}

/**
 * The steps from a new organization to a published app, and to a launched one, as far as the role may take them. A track is
 * shown until it is complete, but not to an organization that completed the other one and never began this one.
 */
export function listTracks(role: Role, organizationSlug: string, progress: Progress): Track[] {
  const publishing = role === "operator" ? undefined : publishingTrack(organizationSlug, progress);
  const using = role === "publisher" ? undefined : usingTrack(role, progress);
  const tracks = [using, publishing].filter((track) => track !== undefined);
  // The last step is the goal, also for those who reached it without a Test Launch.
  const isComplete = ({ steps }: Track) => steps.at(-1)?.done === true;
  const isBegun = ({ steps }: Track) => steps.some(({ done }) => done);
  return tracks.filter((track) => !isComplete(track) && (isBegun(track) || !tracks.some(isComplete)));
}

function publishingTrack(organizationSlug: string, progress: Progress): Track {
  const listing = `/publish/${progress.appName ?? ""}`;
  return {
    title: "Publish an app",
    steps: [
      {
        title: "Create a listing",
        text: "It describes your app in the marketplace. Only your organization sees the draft.",
        done: progress.listings > 0,
        href: "/publish/new",
        action: "New listing",
      },
      {
        title: "Publish a version",
        text: "Design the manifest, then publish your image with the command line.",
        done: progress.hasVersion,
        href: listing,
        action: "Open listing",
      },
      {
        title: "Try it with a Test Launch",
        text: "It runs only for your organization, on a sandbox or a tenant of yours.",
        done: progress.testLaunches > 0,
        href: `/launch/${organizationSlug}/${progress.appName ?? ""}?test=1`,
        action: "Test Launch",
      },
      {
        title: "Submit it for review",
        text: "A moderator verifies the version. Then every organization can launch it.",
        done: progress.hasSubmission,
        href: listing,
        action: "Open listing",
      },
    ],
  };
}

const TRY_FIRST = "You can try an app without one: select Try it on its page in the marketplace.";

function usingTrack(role: Role, progress: Progress): Track {
  const isOwner = role === "owner";
  return {
    title: "Use an app",
    steps: [
      {
        title: "Connect a tenant",
        text: isOwner
          ? `The platform imports your policy system's products, which apps are configured for. ${TRY_FIRST}`
          : `Ask an owner of your organization to connect a tenant of your policy system. ${TRY_FIRST}`,
        done: progress.tenants > 0,
        href: isOwner ? "/tenants/new" : "/tenants",
        action: isOwner ? "Connect a tenant" : "View tenants",
      },
      {
        title: "Launch an app",
        text: "Choose a verified app and configure it. It runs within seconds.",
        done: progress.launches > 0,
        href: "/marketplace",
        action: "Browse the marketplace",
      },
    ],
  };
}
