"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ComponentType, useEffect, useState } from "react";
import { Shortcut } from "@/components/ui/shortcut";
import { singleKeys } from "@/components/ui/typing";
import { copyText } from "@/lib/client/copy-text";

const SEARCH_PAGE = "/docs/search";

/** Without JavaScript, and if the dialog can't be loaded, it leads to the search page. */
export function DocsSearch() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<{ close: () => void }>>();
  useEffect(() => {
    if (!isOpen || Dialog !== undefined) return;
    import("./search-dialog").then(
      ({ SearchDialog }) => setDialog(() => SearchDialog),
      () => router.push(SEARCH_PAGE),
    );
  }, [isOpen, Dialog, router]);
  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest("input, textarea, select, dialog") !== null;
      const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
      const isSlash = event.key === "/" && isAlone && !isTyping && singleKeys.getState().isOn;
      const isMod = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isMod) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", openByKey);
    return () => document.removeEventListener("keydown", openByKey);
  }, []);
  return (
    <>
      <a
        href={SEARCH_PAGE}
        aria-keyshortcuts="/ Control+K"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
        className="flex h-9 items-center gap-2 rounded-field border border-line-strong bg-surface px-3 text-small text-ink-faint shadow-low hover:text-ink"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="flex-1 truncate">Search</span>
        <Shortcut keys="Mod+K" className="max-lg:hidden" />
      </a>
      {isOpen && Dialog !== undefined && <Dialog close={() => setOpen(false)} />}
    </>
  );
}

/** What pages do beyond reading: headings copy their link, and a chosen language applies to the whole page. */
export function DocsScript() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    // Links from before this page had parts.
    const followEntry = () => {
      const link = document.getElementById(location.hash.slice(1))?.querySelector("a[data-entry]");
      if (link instanceof HTMLAnchorElement) location.replace(link.href);
    };
    followEntry();
    // This may run while the rest of the page is still arriving.
    addEventListener("load", followEntry);
    addEventListener("hashchange", followEntry);
    return () => {
      removeEventListener("load", followEntry);
      removeEventListener("hashchange", followEntry);
    };
  }, []);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const copyHeadingLink = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a[data-heading-link]") : null;
      if (!(link instanceof HTMLAnchorElement)) return;
      // If it fails, the address bar has the link.
      void copyText(link.href).then(setCopied);
    };
    const chooseLanguage = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || target.dataset.languageTab === undefined) return;
      const top = target.getBoundingClientRect().top;
      for (const input of document.querySelectorAll<HTMLInputElement>("input[data-language-tab]"))
        if (input.value === target.value) input.checked = true;
      // Blocks above may have grown; the one that was used stays in its place.
      window.scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" });
    };
    document.addEventListener("click", copyHeadingLink, { signal });
    document.addEventListener("change", chooseLanguage, { signal });
    return () => stopped.abort();
  }, []);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <p
      role="status"
      className={
        copied
          ? "fixed bottom-4 left-1/2 z-50 -translate-x-1/2 rounded-field border border-line bg-raised px-4 py-2 text-small text-ink shadow-high"
          : "sr-only"
      }
    >
      {copied ? "Link copied" : ""}
    </p>
  );
}
