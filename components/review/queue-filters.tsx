"use client";

import { useRouter } from "next/navigation";
import type { SelectOption } from "@/components/ui/option-list";
import { SelectField } from "@/components/ui/select-field";

const ANY = "any";

const FILTERS: { name: string; label: string; options: SelectOption[]; onlyWaiting?: true }[] = [
  {
    name: "kind",
    label: "Review of",
    options: [
      { value: ANY, text: "Everything" },
      { value: "VERSION", text: "Versions" },
      { value: "TEXT", text: "Texts" },
    ],
  },
  {
    name: "claim",
    label: "Claimed by",
    options: [
      { value: ANY, text: "Anyone" },
      { value: "mine", text: "Me" },
      { value: "unclaimed", text: "Nobody" },
      { value: "claimed", text: "Someone" },
    ],
    onlyWaiting: true,
  },
  {
    name: "due",
    label: "Due",
    options: [
      { value: ANY, text: "Any time" },
      { value: "overdue", text: "Overdue" },
      { value: "today", text: "Until midnight UTC" },
      { value: "week", text: "Within 7 days" },
    ],
    onlyWaiting: true,
  },
  {
    name: "age",
    label: "Age",
    options: [
      { value: ANY, text: "Any age" },
      { value: "1", text: "Over a day" },
      { value: "3", text: "Over 3 days" },
      { value: "7", text: "Over a week" },
    ],
    onlyWaiting: true,
  },
  {
    name: "sort",
    label: "Sort by",
    options: [
      { value: ANY, text: "Due date" },
      { value: "age", text: "Age" },
    ],
    onlyWaiting: true,
  },
];

interface QueueFiltersProps {
  /** The filters of the URL. */
  query: Record<string, string>;
  /** Publishers with reviews in the queue. */
  publishers: { slug: string; name: string }[];
}

/** Each choice is a new URL. */
export function QueueFilters({ query, publishers }: QueueFiltersProps) {
  const router = useRouter();
  const choose = (name: string, value: string) => {
    const { [name]: _replaced, ...rest } = query;
    router.push(`/moderation?${new URLSearchParams(value === ANY ? rest : { ...rest, [name]: value })}`);
  };
  const waiting = query.state === "PENDING";
  const known = publishers.map(({ slug, name }) => ({ value: slug, text: name }));
  const chosen = query.publisher;
  const options = [
    { value: ANY, text: "All publishers" },
    ...known,
    ...(chosen === undefined || known.some(({ value }) => value === chosen)
      ? []
      : [{ value: chosen, text: chosen }]),
  ];
  return (
    <div className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      {FILTERS.filter(({ onlyWaiting }) => waiting || onlyWaiting !== true).map((filter) => (
        <SelectField
          key={filter.name}
          label={filter.label}
          isRequired
          options={filter.options}
          value={query[filter.name] ?? ANY}
          onChange={(value) => choose(filter.name, value)}
        />
      ))}
      <SelectField
        label="Publisher"
        isRequired
        options={options}
        value={chosen ?? ANY}
        onChange={(value) => choose("publisher", value)}
      />
    </div>
  );
}
