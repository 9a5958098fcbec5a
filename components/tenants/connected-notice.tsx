import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";

interface Connected {
  coreCredential: string;
  products: string[];
}

/** The core's credential, this once, and what to do with it. */
export function ConnectedNotice({
  connected,
  eventsAddress,
}: {
  connected: Connected;
  eventsAddress: string;
}) {
  const { products, coreCredential } = connected;
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
        <div className="flex flex-col gap-5">
          <CodeBlock label="credential" code={coreCredential} wrap />
          <div className="flex flex-col gap-2">
            <p className="text-ink-soft">
              The core sends it as <code className="font-mono text-[13px]">Authorization: Bearer …</code> when
              it sends events here, and when it calls an app&apos;s routes:
            </p>
            <CodeBlock label="events address" code={`POST ${eventsAddress}`} wrap />
          </div>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
            <LinkButton href="/tenants">I have stored it</LinkButton>
            <LinkButton tone="primary" href="/marketplace">
              Find an app
            </LinkButton>
          </div>
        </div>
      </Card>
    </div>
  );
}
