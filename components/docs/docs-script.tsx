"use client";

import { useEffect, useState } from "react";

/** What pages do beyond reading: headings copy their link, and a chosen language applies to the whole page. */
export function DocsScript() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const copyHeadingLink = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a[data-heading-link]") : null;
      if (!(link instanceof HTMLAnchorElement) || !("clipboard" in navigator)) return;
      void navigator.clipboard.writeText(link.href).then(
        () => setCopied(true),
        () => undefined,
      );
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
          ? "fixed bottom-4 left-1/2 z-50 -translate-x-1/2 rounded-field border border-line bg-raised px-4 py-2 text-[13px] text-ink shadow-high"
          : "sr-only"
      }
    >
      {copied ? "Link copied" : ""}
    </p>
  );
}
