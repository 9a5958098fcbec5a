import { toScriptText } from "@/lib/domain/marketplace/structured-data";

/** Describes the page to search engines. Browsers don't run it, and hide its nonce from scripts, React's included. */
export function StructuredData({ nonce, data }: { nonce: string | undefined; data: object }) {
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: toScriptText(data) }}
    />
  );
}
