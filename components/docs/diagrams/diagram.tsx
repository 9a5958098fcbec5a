import type { ReactNode } from "react";
import { CallFlow } from "./call-flow";
import { InstallationStates, ListingStates } from "./states";

interface Picture {
  /** What the picture says, for those who don't see it. */
  text: string;
  caption: string;
  draw: () => ReactNode;
}

const PICTURES: Record<string, Picture> = {
  "call-flow": {
    text: "The core calls the platform. The platform calls the app with a key. With the key, the app reads the customer's state from the platform, and responds. The platform checks the response and returns it to the core.",
    caption: "One call. The key opens the state of exactly one customer, and only during this call.",
    draw: CallFlow,
  },
  "listing-states": {
    text: "A listing starts as DRAFT. Its first approval makes it PUBLIC. Moderators can suspend it, which makes it SUSPENDED, and reinstate it. Its publisher can retire it in any state; RETIRED is final.",
    caption: "The states of a listing. Retiring is possible in any state, and final.",
    draw: ListingStates,
  },
  "installation-states": {
    text: "An installation is LAUNCHING until its app is ready, and then RUNNING. Stopping leads through STOPPING to STOPPED, and starting leads back to LAUNCHING. If the launch fails, the state is ERROR.",
    caption: "The states of an installation. Uninstalling leads to UNINSTALLING and UNINSTALLED.",
    draw: InstallationStates,
  },
};

/** The figure that a `diagram` fence names. An unknown name fails the page, so that a typo isn't published. */
export function Diagram({ name }: { name: string }) {
  const picture = PICTURES[name];
  if (picture === undefined)
    throw new Error(`There is no diagram "${name}". Use one of ${Object.keys(PICTURES).join(", ")}.`);
  const { text, caption, draw: Draw } = picture;
  return (
    <figure className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <div role="img" aria-label={text} className="mx-auto max-w-[560px]">
        <Draw />
      </div>
      <figcaption className="mt-4 text-center text-[13px] leading-5 text-ink-faint">{caption}</figcaption>
    </figure>
  );
}
