/** Which part of the documentation explains each signed-in page. A page without one does not compile. */
import { DOCS_PAGES, docsPath, type DocsSlug } from "@/lib/contract/platform/docs-pages";
import type { PAGE_POLICY, PagePath } from "../accounts/policy";

type SignedInPath = {
  [Path in PagePath]: (typeof PAGE_POLICY)[Path] extends "public" ? never : Path;
}[PagePath];

interface Help {
  slug: DocsSlug;
  /** The id of a heading. */
  anchor?: string;
}

export const PAGE_HELP: Record<SignedInPath, Help> = {
  "/home": { slug: "start" },
  "/account": { slug: "errors", anchor: "sign-in-and-permissions" },
  "/account/notifications": { slug: "operating" },
  "/notifications": { slug: "operating" },
  "/marketplace/[organization]/[app]/report": { slug: "review", anchor: "reported-listings" },
  "/organization/new": { slug: "concepts", anchor: "who-does-what" },
  "/organization/switch": { slug: "concepts", anchor: "who-does-what" },
  "/organization/api-keys": { slug: "security", anchor: "api-keys" },
  "/organization/members": { slug: "concepts", anchor: "who-does-what" },
  "/organization/settings": { slug: "limits" },
  "/organization/allowed-apps": { slug: "concepts", anchor: "who-may-launch-apps-in-your-organization" },
  "/organization/audit": { slug: "security", anchor: "audit-trail" },
  "/publish": { slug: "start" },
  "/publish/new": { slug: "publishing" },
  "/publish/[app]": { slug: "operating", anchor: "your-app-at-a-glance" },
  "/publish/[app]/versions": { slug: "publishing" },
  "/publish/[app]/customers": { slug: "security", anchor: "what-publishers-can-see-about-their-customers" },
  "/publish/[app]/settings": { slug: "operating", anchor: "replicas" },
  "/publish/[app]/edit": { slug: "review", anchor: "before-you-submit" },
  "/publish/[app]/logs": { slug: "operating", anchor: "logs" },
  "/publish/[app]/manifest": { slug: "manifest" },
  "/publish/[app]/metrics": { slug: "operating", anchor: "metrics" },
  "/publish/[app]/reviews/[reviewId]": { slug: "review" },
  "/moderation": { slug: "review", anchor: "what-moderators-do" },
  "/moderation/[reviewId]": { slug: "review", anchor: "what-moderators-do" },
  "/moderation/listings": { slug: "review", anchor: "suspensions" },
  "/moderation/listings/[listingId]": { slug: "review", anchor: "suspensions" },
  "/moderation/reports": { slug: "review", anchor: "reported-listings" },
  "/moderation/isolation": { slug: "security", anchor: "what-an-app-can-reach" },
  "/moderation/operation": { slug: "review", anchor: "what-moderators-do" },
  "/moderation/usage": { slug: "limits" },
  "/moderation/audit": { slug: "security", anchor: "audit-trail" },
  "/tenants": { slug: "concepts", anchor: "terms" },
  "/tenants/new": { slug: "security", anchor: "tokens-for-a-core" },
  "/tenants/[tenantId]": { slug: "security", anchor: "core-credentials" },
  "/launch/[organization]/[app]": { slug: "concepts", anchor: "states-of-an-installation" },
  "/installations": { slug: "concepts", anchor: "states-of-an-installation" },
  "/installations/requests": { slug: "concepts", anchor: "who-may-launch-apps-in-your-organization" },
  "/installations/[installationId]": { slug: "operating", anchor: "health" },
  "/installations/[installationId]/calls": { slug: "calls" },
  "/installations/[installationId]/configuration": { slug: "secrets" },
  "/installations/[installationId]/settings": { slug: "endpoints" },
  "/installations/[installationId]/configure": { slug: "configuration-check" },
  "/installations/[installationId]/history": { slug: "secrets", anchor: "what-customers-can-do" },
  "/installations/[installationId]/upgrade": { slug: "operating", anchor: "upgrades" },
  "/calls": { slug: "operating", anchor: "calls" },
  "/calls/[attemptId]": { slug: "calls" },
};

/** The page at a path. One without parameters comes first, so that `/publish/new` is not an app. */
export function matchPath<Path extends string>(pages: readonly Path[], pathname: string): Path | undefined {
  const parts = pathname.split("/");
  const matching = pages.filter((page) => {
    const pattern = page.split("/");
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith("[") || part === parts[index])
    );
  });
  const parameters = (page: Path) => page.split("[").length;
  return matching.sort((one, other) => parameters(one) - parameters(other))[0];
}

const PATHS = Object.keys(PAGE_HELP).filter((path): path is SignedInPath => path in PAGE_HELP);

/** The documentation of the page at a path; undefined for a page that is not in the table, such as an open one. */
export function findPageHelp(pathname: string): { href: string; title: string } | undefined {
  const path = matchPath(PATHS, pathname);
  if (path === undefined) return undefined;
  const { slug, anchor } = PAGE_HELP[path];
  const title = DOCS_PAGES.find((page) => page.slug === slug)?.title;
  return title === undefined ? undefined : { href: docsPath(slug, anchor), title };
}
