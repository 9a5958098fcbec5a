import type { ReactNode } from "react";
import { DocsScript } from "@/components/surface/docs/docs-controls";

/** Each page draws its frame, because the sidebar marks the page without JavaScript. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <DocsScript />
    </>
  );
}
