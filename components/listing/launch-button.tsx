import { FlaskConical, Rocket } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import type { ListingState } from "@/lib/contract/listing";
import { mayTestLaunch, testLaunchPath } from "./test-launch";

interface LaunchButtonProps {
  /** `<org-name>/<app-name>` */
  name: string;
  state: ListingState;
  /** Of the organization that looks. */
  own: boolean;
  newest: object | undefined;
  verified: object | undefined;
}

/** Launch for what is public and verified; Test Launch for the publishing organization. Nothing where neither can work. */
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
