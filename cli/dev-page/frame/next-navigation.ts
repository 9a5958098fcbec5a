/** Replaces next/navigation in the page's bundle, because components of the product import it. See launcher/build-dev-page.mjs. */
import { openUrl, useUrl } from "./location";

const router = {
  push: openUrl,
  replace: (href: string) => history.replaceState(null, "", href),
  prefetch: () => {},
  refresh: () => {},
  back: () => history.back(),
};

export const useRouter = () => router;
export const usePathname = () => useUrl().pathname;
export const useSearchParams = () => useUrl().searchParams;
