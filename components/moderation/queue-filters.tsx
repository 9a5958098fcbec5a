"use client";

import { useRouter } from "next/navigation";
import { UrlSelect } from "@/components/ui/forms/select-field";

interface Filter {
  name: string;
  label: string;
  any: string;
  /** The text of each value. */
  values: Record<string, string>;
}

const FILTERS: Filter[] = [
  {
    name: "kind",
    label: "Review of",
    any: "Everything",
    values: { VERSION: "Versions", TEXT: "Listing texts" },
  },
];

/** Of reviews that nobody has decided about. */
const WAITING_FILTERS: Filter[] = [
  {
    name: "claim",
    label: "Claimed by",
    any: "Anyone",
    values: { mine: "Me", unclaimed: "Nobody", claimed: "Someone" },
  },
  {
    name: "due",
    label: "Due",
    any: "Any time",
    values: { overdue: "Overdue", today: "Today", week: "Within 7 days" },
  },
  {
    name: "age",
    label: "Age",
    any: "Any age",
    values: { "1": "Over a day", "3": "Over 3 days", "7": "Over a week" },
  },
  { name: "sort", label: "Sort by", any: "Due date", values: { age: "Age" } },
];

const DECIDED_FILTERS: Filter[] = [
  {
    name: "sort",
    label: "Sort by",
    any: "Newest",
    values: { age: "Oldest", ended: "Recently ended" },
  },
];

interface QueueFiltersProps {
  /** The filters of the URL. */
  query: Record<string, string>;
  /** Publishers with reviews in the queue. */
  publishers: { slug: string; name: string }[];
  /** How many others have. */
  morePublishers: number;
}

/** Each choice is a new URL. */
export function QueueFilters({ query, publishers, morePublishers }: QueueFiltersProps) {
  const router = useRouter();
  const publisher: Filter = {
    name: "publisher",
    label: "Publisher",
    any: "All publishers",
    values: Object.fromEntries(publishers.map(({ slug, name }) => [slug, name])),
  };
  const filters = [...FILTERS, ...(query.state === "PENDING" ? WAITING_FILTERS : DECIDED_FILTERS), publisher];
  const choose = (name: string, value: string | undefined) => {
    const { [name]: _replaced, ...rest } = query;
    const chosen = value === undefined ? rest : { ...rest, [name]: value };
    router.push(`/moderation?${new URLSearchParams(chosen)}`);
  };
  return (
    <div className="mb-6">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        {filters.map(({ name, label, any, values }) => (
          <UrlSelect
            key={name}
            label={label}
            any={any}
            options={Object.entries(values).map(([value, text]) => ({ value, text }))}
            value={query[name]}
            onChange={(value) => choose(name, value)}
          />
        ))}
      </div>
      {morePublishers > 0 && (
        <p className="mt-2 text-small text-ink-faint">
          {morePublishers === 1 ? "1 more publisher has" : `${morePublishers} more publishers have`} reviews
          in the queue. To find them, search for their names.
        </p>
      )}
    </div>
  );
}
