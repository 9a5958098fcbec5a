import { FlaskConical, Rocket } from "lucide-react";
import { LinkButton } from "@/components/ui/links";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { ListingState } from "@/lib/contract/catalog/listing";

/** A Test Launch of the publishing organization. */
export interface TestLaunch {
  id: string;
  /** The version that it runs. */
  number: string;
  state: InstallationState;
  tenantName: string;
}

/** Publishers can try their own versions in any state except the last one. */
export function mayTestLaunch(state: ListingState): boolean {
  return state !== "RETIRED";
}

/** `name`: `<org-name>/<app-name>`. Without a version, the newest is launched. */
export function testLaunchPath(name: string, versionId?: string): string {
  const query = new URLSearchParams({
    test: "1",
    ...(versionId === undefined ? {} : { version: versionId }),
  });
  return `/launch/${name}?${query}`;
}

/** A path of the app, with the token of its link if it is shown by link. */
export function withLink(path: string, link: string | undefined): string {
  if (link === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ link })}`;
}

/** The one installation of an app, or the list of several. */
export function installationsPath(name: string, [only, ...others]: readonly { id: string }[]): string {
  return only !== undefined && others.length === 0
    ? `/installations/${only.id}`
    : `/installations?${new URLSearchParams({ q: name.split("/")[1] ?? name })}`;
}

interface LaunchButtonProps {
  /** `<org-name>/<app-name>` */
  name: string;
  state: ListingState;
  /** The token of its link, if the listing is shown by link. */
  link?: string;
  /** It is offered to the visitor. */
  mayLaunch: boolean;
  /** What the member's organization lets the member do; without one, whoever signs in launches. */
  permission?: "launch" | "ask" | "allow";
  /** The listing belongs to the user's organization. */
  own: boolean;
  newest: object | undefined;
  verified: object | undefined;
  /** The organization's installations of it, without Test Launches. */
  installed?: readonly { id: string }[];
  /** It has another tenant that the app can be launched for. */
  hasOtherTenant?: boolean;
}

/**
 * Open where it is installed, Launch for public, verified apps, and Test Launch for the publishing organization. Nothing if
 * none is possible.
 */
export function LaunchButton(props: LaunchButtonProps) {
  const { name, state, link, own, newest, verified, installed = [], hasOtherTenant = false } = props;
  const [first, ...others] = installed;
  const asks = props.permission === "ask";
  const mayLaunch = props.mayLaunch && verified !== undefined && props.permission !== "allow";
  const mayTest = own && newest !== undefined && mayTestLaunch(state);
  return (
    <>
      {mayTest && (
        <LinkButton
          href={testLaunchPath(name)}
          tone={mayLaunch || first !== undefined ? "secondary" : "primary"}
        >
          <FlaskConical aria-hidden className="size-4" />
          Test Launch
        </LinkButton>
      )}
      {mayLaunch && (first === undefined || hasOtherTenant) && (
        <LinkButton
          href={withLink(`/launch/${name}`, link)}
          tone={first === undefined ? "primary" : "secondary"}
        >
          <Rocket aria-hidden className="size-4" />
          {asks ? "Ask to launch" : first === undefined ? "Launch" : "Launch for another tenant"}
        </LinkButton>
      )}
      {first !== undefined && (
        <LinkButton href={installationsPath(name, installed)} tone="primary">
          {others.length === 0 ? "Open" : `Open ${installed.length} installations`}
        </LinkButton>
      )}
    </>
  );
}

/** Where somebody without an organization creates one, and then tries the app. */
export function organizationForTrial(name: string): string {
  return `/organization/new?${new URLSearchParams({ try: name })}`;
}

/**
 * Starts a trial. Strangers sign in first, as for a launch, and who has no organization creates one. Nothing for an app that they
 * can't launch.
 */
export function TryButton({
  name,
  link,
  mayLaunch,
  verified,
}: Pick<LaunchButtonProps, "name" | "link" | "mayLaunch" | "verified">) {
  if (!mayLaunch || verified === undefined) return null;
  return (
    <LinkButton href={withLink(`/launch/${name}?trial=1`, link)}>
      <FlaskConical aria-hidden className="size-4" />
      Try it
    </LinkButton>
  );
}
