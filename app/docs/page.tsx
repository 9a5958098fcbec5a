import { DocsFrame } from "@/components/docs/docs-frame";
import { DocsHome } from "@/components/docs/docs-home";
import { page } from "@/lib/server/web/page";
import { describePage } from "@/lib/server/web/page-metadata";

export const generateMetadata = () =>
  describePage({
    path: "/docs",
    title: "Documentation",
    description: "How to build, test, publish and run apps on the App Hosting Platform.",
  });

export default page("/docs", ({ actor }) => (
  <DocsFrame signedIn={actor !== undefined}>
    <DocsHome />
  </DocsFrame>
));
