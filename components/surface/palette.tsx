"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  Activity,
  BookOpen,
  Boxes,
  FileSearch,
  Keyboard,
  Layers,
  type LucideIcon,
  Network,
  Store,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  Text,
  useFilter,
} from "react-aria-components";
import { menuItemStyles, MenuSearch } from "@/components/ui/collections";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { type FoundGroups, LEAST_CHARACTERS } from "@/lib/contract/surface/found";
import { listPages } from "./navigation";

interface PaletteProps {
  /** The paths that the user may open. */
  allowed: string[];
  onShortcuts: () => void;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Searches pages, and what the organization has: by keyboard alone, from every signed-in page. */
export function Palette({ isOpen, onOpenChange, ...shown }: PaletteProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex items-start justify-center bg-veil p-4 pt-[10vh]"
    >
      <Modal className="flex max-h-[70vh] w-full max-w-xl arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high">
        <Dialog aria-label="Search" className="flex min-h-0 flex-1 flex-col outline-none">
          <Found {...shown} close={() => onOpenChange(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface Entry {
  id: string;
  text: string;
  detail: string;
  icon: LucideIcon;
  run: () => void;
}

const ICONS: Record<FoundGroups["groups"][number]["title"], LucideIcon> = {
  "By ID": Activity,
  Installations: Layers,
  "Your listings": Boxes,
  Tenants: Network,
  Apps: Store,
  Documentation: BookOpen,
};

interface FoundProps extends Pick<PaletteProps, "allowed" | "onShortcuts"> {
  close: () => void;
}

function Found({ allowed, onShortcuts, close }: FoundProps) {
  const router = useRouter();
  const { contains } = useFilter({ sensitivity: "base" });
  const [typed, setTyped] = useState("");
  const { data, error, isFetching } = useSearch(typed);
  const open = (href: string) => () => {
    close();
    router.push(href);
  };
  const pages = listPages(allowed)
    .filter(({ text }) => contains(text, typed.trim()))
    .map(({ href, text, icon }): Entry => ({ id: `page ${href}`, text, detail: "", icon, run: open(href) }));
  const help: Entry = {
    id: "shortcuts",
    text: "Keyboard shortcuts",
    detail: "",
    icon: Keyboard,
    run: onShortcuts,
  };
  const sections = [
    ...(data?.groups ?? []).map(({ title, entries }) => ({
      title: String(title),
      items: entries.map(({ href, text, detail }): Entry => {
        return { id: `${title} ${href}`, text, detail, icon: ICONS[title], run: open(href) };
      }),
    })),
    { title: "Pages", items: pages },
    { title: "Help", items: contains(help.text, typed.trim()) ? [help] : [] },
  ].filter(({ items }) => items.length > 0);
  // Pages first while nothing is typed; then what the search found is likelier.
  const all = sections.flatMap(({ items }) => items);
  const isEmpty = all.length === 0;
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <MenuSearch
        label="Search pages, installations, apps, IDs, and documentation"
        placeholder="Search, or paste an ID"
      />
      <ProblemNotice error={error} className="m-2" />
      {/* The focus stays in the search field, so the keyboard must reach the scroll container separately. */}
      <div
        tabIndex={0}
        role="group"
        aria-label="Results"
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        <Menu
          aria-label="Results"
          items={sections}
          onAction={(key) => all.find(({ id }) => id === key)?.run()}
          className="p-1 outline-none"
          renderEmptyState={() => (
            <p className="flex flex-col items-center gap-2 px-4 py-8 text-center text-small text-ink-faint">
              <FileSearch aria-hidden className="size-5" />
              {isFetching ? "Searching…" : "Nothing found. Check the spelling, or use fewer words."}
            </p>
          )}
        >
          {({ title, items }) => (
            <MenuSection id={title}>
              <Header className="px-2 pt-2 pb-1 text-xs font-medium text-ink-faint">{title}</Header>
              <Collection items={items}>{(entry) => <FoundItem entry={entry} />}</Collection>
            </MenuSection>
          )}
        </Menu>
      </div>
      <p role="status" className="sr-only">
        {isFetching
          ? ""
          : isEmpty
            ? "Nothing found"
            : `${all.length} ${all.length === 1 ? "result" : "results"}`}
      </p>
    </Autocomplete>
  );
}

function FoundItem({ entry: { id, text, detail, icon: Icon } }: { entry: Entry }) {
  return (
    <MenuItem id={id} textValue={text} className={menuItemStyles()}>
      <Icon aria-hidden className="size-4 shrink-0 opacity-70" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <Text slot="label" className="max-w-full truncate">
          <bdi>{text}</bdi>
        </Text>
        {detail !== "" && (
          <Text slot="description" className="max-w-full truncate text-xs text-ink-faint">
            <bdi>{detail}</bdi>
          </Text>
        )}
      </span>
    </MenuItem>
  );
}

const DEBOUNCE_MS = 150;

/** What the server finds. What it found before stays until then. */
function useSearch(typed: string) {
  const [settled, setSettled] = useState("");
  const text = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isLong = text.length >= LEAST_CHARACTERS;
  const query = useQuery({
    queryKey: ["search", settled],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/search?${new URLSearchParams({ q: settled })}`, {
        answer: async () => (await import("@/lib/contract/surface/found")).foundGroups,
        signal,
      }),
    enabled: settled.length >= LEAST_CHARACTERS,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return {
    data: isLong ? query.data : undefined,
    error: query.error,
    isFetching: isLong && (query.isFetching || settled !== text),
  };
}
