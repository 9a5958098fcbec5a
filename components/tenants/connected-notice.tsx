import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { CoreCredentialShown } from "./core-credential-shown";

interface ConnectedNoticeProps {
  connected: { tenantId: string; coreCredential: string; products: string[] };
  eventsAddress: string;
  /** A page that waits for the tenant: a launch, say. */
  returnTo: string | undefined;
}

/** The core's credential, this once, and what to do with it. */
export function ConnectedNotice({ connected, eventsAddress, returnTo }: ConnectedNoticeProps) {
  const { tenantId, products, coreCredential } = connected;
  const found =
    products.length === 0 ? "The core lists no products yet." : `Products: ${products.join(", ")}.`;
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <Notice tone="success" title="The tenant is connected">
        {found}
      </Notice>
      <Card
        title="The core's credential"
        description="Store it in the core now. It is shown this once; only a hash of it is kept here."
      >
        <CoreCredentialShown coreCredential={coreCredential} eventsAddress={eventsAddress} />
        <div className="mt-5 flex flex-wrap justify-end gap-2 border-t border-line pt-5">
          <LinkButton href={`/tenants/${tenantId}`}>Open the tenant</LinkButton>
          <LinkButton tone="primary" href={returnTo ?? "/marketplace"}>
            {returnTo === undefined ? "Find an app" : "Continue"}
          </LinkButton>
        </div>
      </Card>
    </div>
  );
}
