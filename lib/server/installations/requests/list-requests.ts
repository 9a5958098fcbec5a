import { explainOutdated } from "@/lib/domain/installations/launch-request";
import { viewRights } from "@/lib/domain/catalog/rights";
import type { Member } from "@/lib/domain/platform/actor";
import { selectVersionsByIds } from "../../catalog/version-queries";
import { searchText } from "../../platform/database/expressions";
import { ID_CURSOR, readPage } from "../../platform/database/paging";
import type { Platform } from "../../platform/platform";
import * as queries from "./queries";

const PAGE = 30;

/** What the page's address says. Anything invalid means the first page of all that are open. */
interface RequestQuery {
  state?: string;
  q?: string;
  after?: string;
}

/**
 * A page of requests, newest first: all of the organization for its owners, and their own for other members. Those that can be decided
 * have what the app may do.
 */
export async function listRequests({ db }: Platform, member: Member, query: RequestQuery) {
  const { id: organizationId, role } = member.organization;
  const mayDecide = role === "owner";
  const requestedBy = mayDecide ? undefined : member.userId;
  const search = searchText(query.q);
  const open = query.state !== "ended";
  const filter = { requestedBy, open, search };
  const [{ rows, ...pages }, counts] = await Promise.all([
    readPage(query.after, PAGE, ID_CURSOR, (position, limit) =>
      queries.selectRequests(db, organizationId, { ...filter, position, limit }),
    ),
    queries.countRequests(db, organizationId, filter),
  ]);
  const asked = mayDecide && open ? rows.map(({ versionId }) => versionId) : [];
  const manifests = new Map((await selectVersionsByIds(db, asked)).map(({ id, manifest }) => [id, manifest]));
  return {
    requests: rows.map(({ outdatedBy, requestedBy: by, organizationId: _scope, versionId, ...request }) => {
      // Until a worker ends it.
      const isOutdated = request.state === "OPEN" && outdatedBy !== null;
      const manifest = manifests.get(versionId);
      return {
        ...request,
        state: isOutdated ? ("OUTDATED" as const) : request.state,
        answer: isOutdated ? explainOutdated(outdatedBy) : request.answer,
        mayDecide: mayDecide && request.state === "OPEN" && !isOutdated,
        rights: manifest === undefined ? null : viewRights(manifest),
        mayWithdraw: by === member.userId && request.state === "OPEN",
      };
    }),
    open,
    counts,
    search: search ?? "",
    pages,
  };
}

/** How many wait: for the owner's decision, or of the member's own. */
export async function countRequests({ db }: Platform, member: Member): Promise<number> {
  const { id, role } = member.organization;
  return queries.countOpenRequests(db, id, role === "owner" ? undefined : member.userId);
}
