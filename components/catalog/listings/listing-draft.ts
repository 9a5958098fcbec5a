/** What was typed into the form of a new listing, kept in the browser until the listing is created. */
import type { ListingInput } from "@/lib/contract/catalog/listing";
import { valueAt } from "@/lib/domain/platform/json-text/json-value";

export const EMPTY_LISTING: ListingInput = {
  appName: "",
  title: "",
  about: { product: "", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
};

/** Whose form it is. */
export function listingDraftKey(userId: string, organizationId: string): string {
  return `listing-draft:${JSON.stringify([userId, organizationId])}`;
}

/** Storage may be full or blocked. Then the draft is not kept, and everything else works. */
export function keepListingDraft(key: string, values: ListingInput): void {
  try {
    if (JSON.stringify(values) === JSON.stringify(EMPTY_LISTING)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(values));
  } catch {}
}

export function dropListingDraft(key: string): void {
  keepListingDraft(key, EMPTY_LISTING);
}

/** Undefined if there is none, or none that can be read. */
export function findListingDraft(key: string): ListingInput | undefined {
  const stored = read(key);
  if (typeof stored !== "object" || stored === null) return undefined;
  const text = (...path: string[]) => {
    const value = valueAt(stored, path);
    return typeof value === "string" ? value : "";
  };
  const about = (name: string) => text("about", name);
  const requirement = (name: string) => text("requirements", name);
  return {
    appName: text("appName"),
    title: text("title"),
    about: { product: about("product"), company: about("company"), offering: about("offering") },
    requirements: {
      technicalDetails: requirement("technicalDetails"),
      launchInstructions: requirement("launchInstructions"),
      complianceDetails: requirement("complianceDetails"),
    },
  };
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return undefined;
  }
}
