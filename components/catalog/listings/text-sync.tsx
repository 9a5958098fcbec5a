"use client";

import { type ReactNode, useCallback } from "react";
import { useFormContext } from "react-hook-form";
import { callApi } from "@/lib/client/api";
import type { ListingDraft, ListingText } from "@/lib/contract/catalog/listing";
import { mergeTexts, writeText } from "@/lib/domain/catalog/listing-text";
import type { Draft } from "../drafts/draft-sync";
import { DraftSyncProvider } from "../drafts/use-draft-sync";

interface TextSyncProps {
  listingId: string;
  draft: ListingDraft;
  notify: (message: string) => void;
  children: ReactNode;
}

/** Saves the form around it as the listing's draft for as long as it is mounted. */
export function TextSync({ listingId, draft, notify, children }: TextSyncProps) {
  const { getValues, reset, subscribe } = useFormContext<ListingText>();
  const path = `/api/listings/${listingId}/text`;
  const follow = useCallback(
    (changed: () => void) => subscribe({ formState: { values: true }, callback: changed }),
    [subscribe],
  );
  return (
    <DraftSyncProvider
      draft={toDraft(draft)}
      copyName={`listing-copy:${listingId}`}
      ports={{
        subject: "this listing",
        text: {
          read: () => writeText(getValues()),
          replace: (text) => reset(readText(text), { keepDefaultValues: true }),
        },
        merge: (base, mine, theirs) => {
          const merged = mergeTexts(readText(base), readText(mine), readText(theirs));
          return { text: writeText(merged.text), conflicts: merged.conflicts };
        },
        load: async () =>
          toDraft(
            await callApi("GET", path, {
              answer: async () => (await import("@/lib/contract/catalog/listing")).listingDraft,
            }),
          ),
        save: async ({ text, revision }) => {
          const body = { text: readText(text), revision };
          return {
            ...(await callApi("PUT", path, {
              body,
              answer: async () => (await import("@/lib/contract/catalog/listing")).savedText,
            })),
            baseVersionId: null,
          };
        },
        notify,
      }}
      subscribe={follow}
    >
      {children}
    </DraftSyncProvider>
  );
}

/** Only from `writeText`. The server checks what is saved. */
export function readText(source: string): ListingText {
  const text: ListingText = JSON.parse(source);
  return text;
}

function toDraft({ text, ...saved }: ListingDraft): Draft {
  return { ...saved, text: writeText(text), baseVersionId: null };
}
