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

/** The list of an app's installations. */
function installationsPath(name: string): string {
  return `/installations?${new URLSearchParams({ q: name.split("/")[1] ?? name })}`;
}

interface LaunchButtonProps {
  /** `<org-name>/<app-name>` */
  name: string;
  state: ListingState;
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
  const { name, state, own, newest, verified, installed = [], hasOtherTenant = false } = props;
  const [first, ...others] = installed;
  const mayLaunch = state === "PUBLIC" && verified !== undefined;
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
        <LinkButton href={`/launch/${name}`} tone={first === undefined ? "primary" : "secondary"}>
          <Rocket aria-hidden className="size-4" />
          {first === undefined ? "Launch" : "Launch for another tenant"}
        </LinkButton>
      )}
      {first !== undefined && (
        <LinkButton
          href={others.length === 0 ? `/installations/${first.id}` : installationsPath(name)}
          tone="primary"
        >
          {others.length === 0 ? "Open" : `Open ${installed.length} installations`}
        </LinkButton>
      )}
    </>
  );
}
