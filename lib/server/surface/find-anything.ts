import {
  FOUND_GROUPS,
  type FoundEntry,
  type FoundGroups,
  LEAST_CHARACTERS,
} from "@/lib/contract/surface/found";
import { isId } from "@/lib/contract/platform/text";
import { admit, PAGE_POLICY } from "@/lib/domain/accounts/policy";
import { nameTest } from "@/lib/domain/calls/installation";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { searchSections } from "@/lib/domain/surface/search-sections";
import { selectListings } from "../catalog/listing-queries";
import { listNaming, NO_NAMING, searchMarketplace } from "../catalog/marketplace";
import { selectInstallations } from "../installations/queries";
import { selectTenantPage } from "../installations/tenants/queries";
import { searchText } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { indexDocs } from "./docs";
import { selectById } from "./find-queries";

/** Of each kind. Who looks for more searches on its page. */
const EACH = 5;
/** Longer texts are no search. */
const MOST_CHARACTERS = 100;

type Group = (typeof FOUND_GROUPS)[number];

/**
 * What the actor may see and means by `typed`: installations, listings and tenants of the current organization, public apps, the
 * documentation, and calls, installations and tenants by their IDs.
 */
export async function findAnything(platform: Platform, actor: Actor, typed = ""): Promise<FoundGroups> {
  const search = searchText(typed.slice(0, MOST_CHARACTERS));
  if (search === undefined || search.length < LEAST_CHARACTERS) return { groups: [] };
  const member = isMember(actor) ? actor : undefined;
  // Whoever pastes an ID means what has it, not texts that contain parts of it.
  if (isId(search)) {
    const entries = member === undefined ? [] : await findById(platform, member, search);
    return { groups: entries.length === 0 ? [] : [{ title: "By ID", entries }] };
  }
  const publishes = admit(PAGE_POLICY["/publish/[app]"], actor) === "admitted";
  const found: Record<Exclude<Group, "By ID">, FoundEntry[]> = {
    Installations: member === undefined ? [] : await findInstallations(platform, member, search),
    "Your listings": member !== undefined && publishes ? await findListings(platform, member, search) : [],
    Tenants: member === undefined ? [] : await findTenants(platform, member, search),
    Apps: await findApps(platform, member, search),
    Documentation: await findDocs(platform, search),
  };
  const groups = FOUND_GROUPS.map((title) => ({
    title,
    entries: title === "By ID" ? [] : cutEntries(title, found[title], search),
  }));
  return { groups: groups.filter(({ entries }) => entries.length > 0) };
}

const SEARCHES = {
  Installations: "/installations",
  "Your listings": "/publish",
  Tenants: "/tenants",
  Apps: "/marketplace",
  Documentation: "/docs/search",
} as const;

/** The first of them; of more, the page with all is the last entry. */
function cutEntries(title: keyof typeof SEARCHES, found: FoundEntry[], search: string): FoundEntry[] {
  if (found.length <= EACH) return found;
  const href = `${SEARCHES[title]}?${new URLSearchParams({ q: search })}`;
  return [...found.slice(0, EACH), { href, text: "All results", detail: title }];
}

const BY_ID = {
  call: { path: "/calls", text: "Call" },
  installation: { path: "/installations", text: "Installation" },
  tenant: { path: "/tenants", text: "Tenant" },
} as const;

async function findById({ db }: Platform, { organization }: Member, id: string): Promise<FoundEntry[]> {
  const rows = await selectById(db, organization.id, id);
  return rows.map(({ kind, name }) => {
    const { path, text } = BY_ID[kind];
    return { href: `${path}/${id}`, text: `${text} ${name}`, detail: id };
  });
}

async function findInstallations({ db }: Platform, { organization }: Member, search: string) {
  const rows = await selectInstallations(db, organization.id, { search, limit: EACH + 1 });
  return rows.map(({ id, title, tenantName, test, trialEndsAt }): FoundEntry => {
    const kind = nameTest({ test, trial: trialEndsAt !== null });
    return {
      href: `/installations/${id}`,
      text: title,
      detail: kind === undefined ? tenantName : `${tenantName} · ${kind}`,
    };
  });
}

async function findListings({ db }: Platform, { organization }: Member, search: string) {
  const rows = await selectListings(db, { ownedBy: organization.id, search, limit: EACH + 1 });
  return rows.map(({ appName, title }): FoundEntry => {
    return { href: `/publish/${appName}`, text: title, detail: appName };
  });
}

async function findTenants({ db }: Platform, { organization }: Member, search: string) {
  const rows = await selectTenantPage(db, organization.id, { search, sort: "name", limit: EACH + 1 });
  return rows.map(({ id, name, hostName }): FoundEntry => {
    return { href: `/tenants/${id}`, text: name, detail: hostName };
  });
}

async function findApps(platform: Platform, member: Member | undefined, search: string) {
  const filter = parseMarketplaceFilter({ q: search });
  const [{ listings: naming }, { listings: found }] = await Promise.all([
    member === undefined ? NO_NAMING : listNaming(platform, member, filter),
    searchMarketplace(platform, filter),
  ]);
  return [...naming, ...found]
    .slice(0, EACH + 1)
    .map(({ organizationSlug, appName, title, organizationName }): FoundEntry => {
      return { href: `/marketplace/${organizationSlug}/${appName}`, text: title, detail: organizationName };
    });
}

async function findDocs(platform: Platform, search: string) {
  return searchSections(await indexDocs(platform), search, EACH + 1).map(
    ({ path, page, heading }): FoundEntry => {
      return { href: path, text: heading || page, detail: heading === "" ? "Documentation" : page };
    },
  );
}
