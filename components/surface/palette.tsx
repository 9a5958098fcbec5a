"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  Activity,
  BookOpen,
  Boxes,
  FileSearch,
  FileText,
  Keyboard,
  Layers,
  type LucideIcon,
  Network,
  Store,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Autocomplete, MenuItem, Text } from "react-aria-components";
import { MODERATION_TABS } from "@/components/moderation/moderation-frame";
import { menuItemStyles, MenuSearch } from "@/components/ui/collections";
import { FirstResult } from "@/components/ui/first-result";
import { PaletteDialog, PaletteMenu } from "@/components/ui/palette";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { type FoundGroups, LEAST_CHARACTERS } from "@/lib/contract/surface/found";
import { hasTypedWords } from "@/lib/domain/platform/text";
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
    <PaletteDialog label="Search" isOpen={isOpen} onOpenChange={onOpenChange}>
      <Found {...shown} close={() => onOpenChange(false)} />
    </PaletteDialog>
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

/** Pages that the navigation doesn't have. They are found by name. */
const FURTHER_PAGES = [
  { href: "/installations/requests", text: "Requests to launch" },
  { href: "/tenants/new", text: "Connect a tenant" },
  { href: "/publish/new", text: "New listing" },
  { href: "/organization/allowed-apps", text: "Allowed apps" },
  { href: "/organization/new", text: "New organization" },
  { href: "/notifications", text: "Notifications" },
  { href: "/account", text: "Account" },
  { href: "/account/notifications", text: "Notification settings" },
  ...MODERATION_TABS.slice(1).map(({ href, text }) => ({ href, text: `Moderation: ${text}` })),
].map((page) => ({ ...page, icon: FileText }));

interface FoundProps extends Pick<PaletteProps, "allowed" | "onShortcuts"> {
  close: () => void;
}

function Found({ allowed, onShortcuts, close }: FoundProps) {
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const { data, error, isFetching } = useSearch(typed);
  const open = (href: string) => () => {
    close();
    router.push(href);
  };
  const further = typed.trim() === "" ? [] : FURTHER_PAGES.filter(({ href }) => allowed.includes(href));
  const pages = [...listPages(allowed), ...further]
    .filter(({ text }) => hasTypedWords(text, typed))
    .map(({ href, text, icon }): Entry => ({ id: `page ${href}`, text, detail: "", icon, run: open(href) }));
  const help: Entry = {
    id: "shortcuts",
    text: "Keyboard shortcuts",
    detail: "",
    icon: Keyboard,
    run: onShortcuts,
  };
  // Before something is typed, pages are all there is. After that, what was found is likelier.
  const sections = [
    ...(data?.groups ?? []).map(({ title, entries }) => ({
      title: String(title),
      items: entries.map(({ href, text, detail }): Entry => {
        return { id: `${title} ${href}`, text, detail, icon: ICONS[title], run: open(href) };
      }),
    })),
    { title: "Pages", items: pages },
    { title: "Help", items: hasTypedWords(help.text, typed) ? [help] : [] },
  ].filter(({ items }) => items.length > 0);
  const entries = sections.flatMap(({ items }) => items);
  // A page that matches is known at once. What was found is above it, and may still be for what was typed before.
  const isPending = isFetching && (entries.length === 0 || (data?.groups ?? []).length > 0);
  return (
    <FirstResult
      typed={typed}
      isPending={isPending}
      onChoose={() => {
        if (error === null) entries[0]?.run();
      }}
    >
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <MenuSearch
          label="Search pages, installations, apps, IDs, and documentation"
          placeholder="Search, or paste an ID"
        />
        <ProblemNotice error={error} className="m-2" />
        <PaletteMenu
          label="Results"
          sections={sections}
          onAction={({ run }) => run()}
          empty={
            <p className="flex flex-col items-center gap-2 px-4 py-8 text-center text-small text-ink-faint">
              <FileSearch aria-hidden className="size-5" />
              {isFetching ? "Searching…" : explainNothing(typed)}
            </p>
          }
        >
          {(entry) => <FoundItem entry={entry} />}
        </PaletteMenu>
        <p role="status" className="sr-only">
          {isFetching ? "" : sayCount(typed, entries.length)}
        </p>
      </Autocomplete>
    </FirstResult>
  );
}

function isShort(typed: string): boolean {
  return typed.trim().length < LEAST_CHARACTERS;
}

/** Of fewer characters, only pages were searched. */
function explainNothing(typed: string): string {
  return isShort(typed)
    ? `Type at least ${LEAST_CHARACTERS} characters.`
    : "Nothing found. Check the spelling, or use fewer words.";
}

function sayCount(typed: string, count: number): string {
  if (count === 0) return isShort(typed) ? explainNothing(typed) : "Nothing found";
  return count === 1 ? "1 result" : `${count} results`;
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
  const isLong = !isShort(text);
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
