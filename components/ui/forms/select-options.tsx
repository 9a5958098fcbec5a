"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type RefObject, useDeferredValue, useState } from "react";
import { Autocomplete, ListBox, ListBoxItem, type ListBoxProps, Popover } from "react-aria-components";
import { MenuResults, MenuSearch } from "@/components/ui/collections";
import { FirstResult } from "@/components/ui/first-result";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { hasTypedWords } from "@/lib/domain/platform/text";

/** Who looks for one of this many types a part of its name instead of reading them all. */
const SEARCHED_FROM = 8;

interface SelectOptionsProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  options: readonly SelectOption[];
  /** The handler that finds further options, which are too many for the page. */
  search?: string;
  /** What is not among the options. */
  note?: string;
  value: string;
  onChange: (value: string, option?: SelectOption) => void;
  className: string;
}

/** The options of a select, with a search where there are many. Choosing closes them. */
export function SelectOptions(props: SelectOptionsProps) {
  const { trigger, isOpen, onOpenChange, label, options, search, note, value, onChange, className } = props;
  const popover = { triggerRef: trigger, isOpen, onOpenChange, placement: "bottom start" } as const;
  const choose = (shown: readonly SelectOption[]): ListProps => ({
    selectionMode: "single",
    selectedKeys: [value],
    onSelectionChange: (keys) => {
      onOpenChange(false);
      // Empty: the one that was chosen already.
      const [key] = keys;
      if (key === undefined) return;
      onChange(
        String(key),
        shown.find((option) => option.value === key),
      );
    },
  });
  if (search === undefined && options.length < SEARCHED_FROM)
    return (
      <Popover
        {...popover}
        className={`max-w-[calc(100vw-16px)] min-w-[min(12rem,calc(100vw-16px))] arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high ${className}`}
      >
        <ListBox {...choose(options)} autoFocus items={options} aria-label={label} className="outline-none">
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    );
  return (
    <Popover
      {...popover}
      className={`flex max-w-[calc(100vw-16px)] min-w-[min(14rem,calc(100vw-16px))] arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high ${className}`}
    >
      {search === undefined ? (
        <LocalOptions label={label} options={options} note={note} choose={choose} />
      ) : (
        <FoundOptions label={label} options={options} search={search} choose={choose} />
      )}
    </Popover>
  );
}

interface SearchedOptionsProps extends Pick<SelectOptionsProps, "label" | "options" | "note"> {
  choose: (shown: readonly SelectOption[]) => ListProps;
}

/** Mounted only while the menu is open, so each search starts empty. */
function LocalOptions({ options, ...props }: SearchedOptionsProps) {
  const [typed, setTyped] = useState("");
  return <SearchedList {...props} typed={typed} onType={setTyped} options={narrow(options, typed)} />;
}

/** Those of the page first, then what the server finds. */
function FoundOptions({ options, search, ...props }: SearchedOptionsProps & { search: string }) {
  const [typed, setTyped] = useState("");
  const asked = useDeferredValue(typed.trim());
  const { data, error, isFetching, isLoading, isPlaceholderData } = useQuery({
    queryKey: ["options", search, asked],
    queryFn: ({ signal }) => findOptions(search, asked, signal),
    placeholderData: (before) => before,
    staleTime: 30_000,
  });
  const known = narrow(options, typed);
  const values = new Set(known.map(({ value }) => value));
  const found = (data?.options ?? []).filter(({ value }) => !values.has(value));
  return (
    <SearchedList
      {...props}
      typed={typed}
      onType={setTyped}
      options={[...known, ...found]}
      isSearching={isFetching}
      isPending={known.length === 0 && (isLoading || isPlaceholderData || asked !== typed.trim())}
      error={error}
      note={data?.more === true ? "There are more. Type a part of the name to find one." : undefined}
    />
  );
}

function narrow(options: readonly SelectOption[], typed: string): readonly SelectOption[] {
  return options.filter(({ text, detail = "" }) => hasTypedWords(`${text} ${detail}`, typed));
}

interface SearchedListProps extends SearchedOptionsProps {
  typed: string;
  onType: (typed: string) => void;
  isSearching?: boolean;
  /** The first option of what was typed is not known yet. */
  isPending?: boolean;
  error?: Error | null;
}

function SearchedList(props: SearchedListProps) {
  const { label, options, choose, typed, onType, error = null, note } = props;
  const { isSearching = false, isPending = false } = props;
  const list = choose(options);
  const chooseFirst = () => {
    const [first] = options;
    if (error === null && first !== undefined) list.onSelectionChange?.(new Set([first.value]));
  };
  return (
    <FirstResult typed={typed} isPending={isPending} onChoose={chooseFirst}>
      <Autocomplete inputValue={typed} onInputChange={onType}>
        <MenuSearch label={`Search ${label.toLowerCase()}`} placeholder="Search" />
        <MenuResults isBusy={isSearching} className="max-h-80">
          <ListBox
            {...list}
            items={options}
            aria-label={label}
            className="p-1 outline-none"
            renderEmptyState={() =>
              error === null && <NoteLine>{isSearching ? "Searching…" : "No matches"}</NoteLine>
            }
          >
            {(option) => <OptionItem id={option.value} option={option} />}
          </ListBox>
        </MenuResults>
        {error !== null && <ProblemNotice error={error} />}
        {note !== undefined && (
          <div className="border-t border-line">
            <NoteLine>{note}</NoteLine>
          </div>
        )}
      </Autocomplete>
    </FirstResult>
  );
}

function NoteLine({ children }: { children: string }) {
  return <p className="px-3 py-2 text-small text-ink-faint">{children}</p>;
}

function findOptions(path: string, typed: string, signal: AbortSignal) {
  const [address = "", query] = path.split("?");
  const asked = new URLSearchParams(query);
  if (typed !== "") asked.set("q", typed);
  return callApi("GET", asked.size === 0 ? address : `${address}?${asked}`, {
    answer: async () => (await import("@/lib/contract/platform/options")).foundOptions,
    signal,
  });
}

export interface SelectOption {
  value: string;
  text: string;
  /** A second line in the list; on the same line in the field. */
  detail?: string;
  /** The detail is a name of the product's language, which browsers leave as it is. */
  isCode?: boolean;
}

type ListProps = Pick<ListBoxProps<SelectOption>, "selectionMode" | "selectedKeys" | "onSelectionChange">;

/** `id` tells the list which option it is. Without it, one that takes another's place in the list would be taken for it. */
function OptionItem({ id, option }: { id: string; option: SelectOption }) {
  return (
    <ListBoxItem
      id={id}
      textValue={option.text}
      className="flex cursor-pointer items-center gap-2 rounded-field px-2 py-1.5 text-sm text-ink focus:bg-hover focus-visible:-outline-offset-2"
    >
      {({ isSelected }) => (
        <>
          <span className="min-w-0 flex-1">
            <span className="block truncate">{option.text}</span>
            {option.detail !== undefined && (
              <span
                translate={option.isCode === true ? "no" : undefined}
                className="block truncate text-xs text-ink-faint"
              >
                {option.detail}
              </span>
            )}
          </span>
          {isSelected && <Check aria-hidden className="size-4 shrink-0 text-accent-text" />}
        </>
      )}
    </ListBoxItem>
  );
}
