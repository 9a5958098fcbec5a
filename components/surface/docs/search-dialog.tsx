"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { TextLink } from "@/components/ui/links";
import {
  type DocsIndex,
  type DocsSection,
  indexSections,
  searchSections,
} from "@/lib/domain/surface/search-sections";
import { SearchHit } from "./search-page";

const MOST_HITS = 8;

let loading: Promise<DocsIndex> | undefined;

/** Results while the user types, from an index that is loaded when the dialog is first opened. */
export function SearchDialog({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const id = useId();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const [index, setIndex] = useState<DocsIndex>();
  const found = useMemo(
    () => (index === undefined ? [] : searchSections(index, query, MOST_HITS + 1)),
    [index, query],
  );
  const hits = found.slice(0, MOST_HITS);
  const isCut = found.length > MOST_HITS;
  const allResults = `/docs/search?${new URLSearchParams({ q: query })}`;

  useEffect(() => {
    dialog.current?.showModal();
    let isGone = false;
    loadIndex().then(
      (loaded) => {
        if (!isGone) setIndex(loaded);
      },
      // Enter still leads to the search page.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);

  const go = (path: string) => {
    close();
    router.push(path);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      const hit = hits[chosen];
      if (query.trim() !== "") go(hit?.path ?? allResults);
    } else if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + hits.length) % hits.length);
    }
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Search the docs"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
      className="mx-auto mt-[12vh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-card border border-line bg-raised p-0 text-ink shadow-high backdrop:bg-veil"
    >
      <div className="relative border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute top-4 left-4 size-4 text-ink-faint" />
        <input
          type="search"
          role="combobox"
          autoFocus
          aria-label="Search the docs"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-hits`}
          aria-activedescendant={hits.length > 0 ? `${id}-${chosen}` : undefined}
          autoComplete="off"
          maxLength={100}
          placeholder="A word, a command or an error code"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={move}
          className="h-12 w-full bg-transparent pr-4 pl-11 text-base text-ink -outline-offset-2 outline-none placeholder:text-ink-faint sm:text-sm"
        />
      </div>
      <ul
        id={`${id}-hits`}
        role="listbox"
        aria-label="Results"
        className={`max-h-[60vh] overflow-y-auto p-2 ${hits.length > 0 ? "" : "hidden"}`}
      >
        {hits.map((hit, at) => (
          <li
            key={hit.path}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen}
            ref={(item) => {
              if (at === chosen) item?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setChosen(at)}
            onClick={() => go(hit.path)}
            className="flex cursor-pointer flex-col rounded-field px-3 py-2 aria-selected:bg-hover"
          >
            <SearchHit hit={hit} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3 text-small">
        <p role="status" className="text-ink-faint">
          {describe(query, index !== undefined, hits.length, isCut)}
        </p>
        {isCut && (
          <TextLink href={allResults} onClick={close} standalone>
            All results
          </TextLink>
        )}
      </div>
    </dialog>
  );
}

function describe(query: string, isLoaded: boolean, hits: number, isCut: boolean): string {
  if (query.trim() === "") return "Type to search. Press Esc to close.";
  if (!isLoaded) return "Loading the index… Press Enter for the search page.";
  if (hits === 0) return "No results. Check the spelling, or use fewer words.";
  return isCut
    ? `The ${hits} best results. Press Enter to open one.`
    : `${hits} ${hits === 1 ? "result" : "results"}. Press Enter to open.`;
}

function loadIndex(): Promise<DocsIndex> {
  loading ??= fetch("/docs/search.json").then(async (answer) => {
    if (!answer.ok) throw new Error(`The index was not loaded: ${answer.status}`);
    const sections: DocsSection[] = await answer.json();
    return indexSections(sections);
  });
  // A failure is tried again at the next opening.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
