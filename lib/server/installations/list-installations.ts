import { INSTALLATION_STATES } from "@/lib/contract/installation";
import { isId } from "@/lib/contract/names";
import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectInstallations } from "./queries";

const PAGE_SIZE = 30;

/** From the page's URL; values that are not valid are ignored. */
interface ListInput {
  search?: string;
  state?: string;
  before?: string;
}

/** A page of the organization's installations, newest first. `next` is the cursor of the next page. */
export async function listInstallations(platform: Platform, member: Member, input: ListInput = {}) {
  const found = await selectInstallations(platform.db, member.organization.id, {
    search: searchText(input.search),
    state: INSTALLATION_STATES.find((state) => state === input.state),
    before: input.before !== undefined && isId(input.before) ? input.before : undefined,
    limit: PAGE_SIZE + 1,
  });
  const installations = found.slice(0, PAGE_SIZE);
  return { installations, next: found.length > PAGE_SIZE ? installations.at(-1)?.id : undefined };
}
