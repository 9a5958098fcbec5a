import { CodeBlock } from "@/components/ui/code-block";

/** The core's credential, this once, and how the core uses it. */
export function CoreCredentialShown({
  coreCredential,
  eventsAddress,
}: {
  coreCredential: string;
  eventsAddress: string;
}) {
  return (
    <div className="flex flex-col gap-5">
      <CodeBlock label="credential" code={coreCredential} wrap />
      <div className="flex flex-col gap-2">
        <p className="text-ink-soft">
          The core sends it as <code className="font-mono text-[13px]">Authorization: Bearer …</code> when it
          sends events here, and when it calls an app&apos;s routes:
        </p>
        <CodeBlock label="events address" code={`POST ${eventsAddress}`} wrap />
      </div>
    </div>
  );
}
