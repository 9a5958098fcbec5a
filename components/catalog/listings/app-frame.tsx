import type { ReactNode } from "react";
import { StateBadge, VisibilityBadge } from "@/components/ui/badge";
import { LinkTabs } from "@/components/ui/link-tabs";
import { LinkButton } from "@/components/ui/links";
import { PageHeader } from "@/components/ui/page-header";
import { UserText } from "@/components/ui/values";
import type { ListingState, ListingVisibility } from "@/lib/contract/catalog/listing";
import { LaunchButton } from "../marketplace/launch-button";

interface AppFrameProps {
  listing: {
    title: string;
    appName: string;
    organizationSlug: string;
    state: ListingState;
    visibility: ListingVisibility;
  };
  /** A version was published. */
  hasVersion: boolean;
  /** The open tab. */
  children: ReactNode;
}

/** The header and the tabs of an app, for its publisher. */
export function AppFrame({ listing, hasVersion, children }: AppFrameProps) {
  const { title, appName, organizationSlug, state, visibility } = listing;
  const name = `${organizationSlug}/${appName}`;
  const path = `/publish/${appName}`;
  return (
    <>
      <PageHeader
        back={{ href: "/publish", text: "Listings" }}
        title={<UserText>{title}</UserText>}
        description={
          <span translate="no" className="font-mono text-small">
            {name}
          </span>
        }
        badges={
          <>
            <StateBadge state={state} />
            {state === "PUBLIC" && <VisibilityBadge visibility={visibility} />}
          </>
        }
        actions={
          <>
            {state !== "RETIRED" && <LinkButton href={`/marketplace/${name}`}>View listing</LinkButton>}
            <LaunchButton
              name={name}
              state={state}
              mayLaunch={false}
              own
              newest={hasVersion ? {} : undefined}
              verified={undefined}
            />
          </>
        }
      />
      <LinkTabs
        label="App"
        tabs={[
          { href: path, text: "Overview" },
          { href: `${path}/versions`, text: "Versions" },
          { href: `${path}/edit`, text: "Listing" },
          { href: `${path}/manifest`, text: "Manifest" },
          { href: `${path}/logs`, text: "Logs" },
          { href: `${path}/metrics`, text: "Metrics" },
          { href: `${path}/customers`, text: "Customers" },
          { href: `${path}/settings`, text: "Settings" },
        ]}
      />
      {children}
    </>
  );
}
