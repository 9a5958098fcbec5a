import { REVIEW_KINDS, REVIEW_STATES, type ReviewState } from "@/lib/contract/catalog/listing";
import type { Pages } from "@/lib/contract/platform/pages";
import { UTC } from "@/lib/domain/platform/zone";
import {
  AGE_FILTERS,
  type AgeFilter,
  currentClaim,
  DUE_FILTERS,
  dueBefore,
  type DueFilter,
  submittedBefore,
} from "@/lib/domain/moderation/review";
import type { Actor } from "@/lib/domain/platform/actor";
import { searchText } from "../platform/database/expressions";
import { byCursor, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import {
  type ClaimFilter,
  countReviews,
  QUEUE_SORTS,
  type QueueFilter,
  type QueueRow,
  selectQueue,
  selectWaitingPublishers,
} from "./queue-queries";
import { claimedSince } from "./review-queries";

const PAGE = 20;
/** In the filter. */
const PUBLISHERS = 100;
export const CLAIM_FILTERS = ["mine", "unclaimed", "claimed"] as const satisfies readonly ClaimFilter[];

/** As in the URL. What is unknown counts as absent: PENDING reviews, by due date, from the first page. Decided ones have no claim, due date and age. */
export interface QueueQuery {
  state?: string;
  kind?: string;
  claim?: string;
  due?: string;
  age?: string;
  publisher?: string;
  sort?: string;
  q?: string;
  after?: string;
}

export interface QueuePage extends Pages {
  state: ReviewState;
  /** What the URL asked for, without what is unknown. */
  query: Record<string, string>;
  reviews: (Omit<QueueRow, "claimer" | "cursor"> & {
    overdue: boolean;
    claim: { name: string; mine: boolean } | null;
  })[];
  /** How many reviews are in each state, of those that the rest of the URL asks for. */
  counts: Partial<Record<ReviewState, number>>;
  /** With reviews in the queue: the first by name, and the chosen one. */
  publishers: { slug: string; name: string }[];
  /** How many more there are. */
  morePublishers: number;
}

/** The moderation queue. */
export async function listReviews(
  platform: Platform,
  moderator: Actor,
  asked: QueueQuery,
  zone = UTC,
): Promise<QueuePage> {
  const now = new Date();
  const state = REVIEW_STATES.find((one) => one === asked.state) ?? "PENDING";
  const kind = REVIEW_KINDS.find((one) => one === asked.kind);
  const claim = CLAIM_FILTERS.find((one) => one === asked.claim);
  const due: DueFilter | undefined = DUE_FILTERS.find((one) => one === asked.due);
  const age: AgeFilter | undefined = AGE_FILTERS.find((one) => one === asked.age);
  const search = searchText(asked.q);
  const publisher = searchText(asked.publisher);
  const orders = state === "PENDING" ? (["due", "age"] as const) : (["newest", "ended", "age"] as const);
  const order = orders.find((one) => one === asked.sort) ?? orders[0];
  const filter = {
    state,
    kind,
    publisher,
    search,
    order,
    claim,
    userId: moderator.userId,
    claimedSince: claimedSince(now),
    dueBefore: due !== undefined ? dueBefore(due, now, zone) : undefined,
    submittedBefore: age !== undefined ? submittedBefore(age, now) : undefined,
  } satisfies QueueFilter;
  const [{ rows, ...pages }, publishers, counts] = await Promise.all([
    readPage(asked.after, PAGE, byCursor(QUEUE_SORTS[order]), (position, limit) =>
      selectQueue(platform.db, { ...filter, position, limit }),
    ),
    selectWaitingPublishers(platform.db, publisher, PUBLISHERS),
    countReviews(platform.db, filter),
  ]);
  const reviews = rows.map(({ claimer, cursor: _cursor, ...row }) => {
    const holder = row.state === "PENDING" ? currentClaim(row, now) : undefined;
    return {
      ...row,
      overdue: row.state === "PENDING" && row.dueAt < now,
      claim: holder === undefined ? null : { name: claimer ?? "", mine: holder === moderator.userId },
    };
  });
  return {
    state,
    query: withoutAbsent({
      state,
      kind,
      claim,
      due,
      age,
      publisher,
      sort: order === orders[0] ? undefined : order,
      q: search,
    }),
    reviews,
    counts,
    publishers: publishers
      .map(({ slug, name }) => ({ slug, name }))
      .sort((one, other) => one.name.localeCompare(other.name, "en")),
    morePublishers: (publishers[0]?.total ?? 0) - publishers.length,
    ...pages,
  };
}

function withoutAbsent(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
