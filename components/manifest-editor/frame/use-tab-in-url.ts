"use client";

import { useEffect } from "react";
import { useEditor } from "../use-editor";

/** The open tab stands in the address, so that a link or a reload opens it again. Back leaves the editor. */
export function useTabInUrl(): void {
  const tab = useEditor((state) => state.tab);
  useEffect(() => {
    const url = new URL(window.location.href);
    if (tab === "design") url.searchParams.delete("tab");
    else url.searchParams.set("tab", tab);
    if (url.href !== window.location.href) window.history.replaceState(null, "", url);
  }, [tab]);
}
