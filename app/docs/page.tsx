import { DocsFrame } from "@/components/surface/docs/docs-frame";
import { DocsHome } from "@/components/surface/docs/docs-home";
import { describePage, page } from "@/lib/server/surface/web/page";

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
