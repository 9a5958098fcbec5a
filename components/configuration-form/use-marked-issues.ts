"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Issue } from "@/lib/contract/problem";
import { focusInvalid } from "./focus-fields";

/** The problems that are marked in a form: the first takes the focus, and what is being mended is marked no more. */
export function useMarkedIssues() {
  const form = useRef<HTMLFormElement>(null);
  const isNew = useRef(false);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const mark = useCallback((found: readonly Issue[]) => {
    isNew.current = found.length > 0;
    setIssues(found);
  }, []);
  const mended = useCallback((at: string) => {
    setIssues((all) =>
      all.some(({ pointer }) => pointer === at) ? all.filter(({ pointer }) => pointer !== at) : all,
    );
  }, []);
  useEffect(() => {
    if (!isNew.current) return;
    isNew.current = false;
    // One that has no field on this page stands in the summary alone.
    if (!focusInvalid(form.current)) window.scrollTo({ top: 0 });
  }, [issues]);
  return { form, issues, mark, mended };
}
