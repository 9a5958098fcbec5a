import type { InstallationState } from "@/lib/contract/installation";
import type { ListingState } from "@/lib/contract/listing";
import { FlaskConical, Rocket } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";

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

interface LaunchButtonProps {
  /** `<org-name>/<app-name>` */
  name: string;
  state: ListingState;
  /** The listing belongs to the user's organization. */
  own: boolean;
  newest: object | undefined;
  verified: object | undefined;
}

/** Launch for public, verified apps; Test Launch for the publishing organization. Nothing if neither is possible. */
export function LaunchButton({ name, state, own, newest, verified }: LaunchButtonProps) {
  const mayLaunch = state === "PUBLIC" && verified !== undefined;
  const mayTest = own && newest !== undefined && mayTestLaunch(state);
  return (
    <>
      {mayTest && (
        <LinkButton href={testLaunchPath(name)} tone={mayLaunch ? "secondary" : "primary"}>
          <FlaskConical aria-hidden className="size-4" />
          Test Launch
        </LinkButton>
      )}
      {mayLaunch && (
        <LinkButton href={`/launch/${name}`} tone="primary">
          <Rocket aria-hidden className="size-4" />
          Launch
        </LinkButton>
      )}
    </>
  );
}
