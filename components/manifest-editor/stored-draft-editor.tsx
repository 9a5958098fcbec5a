"use client";

import { useState } from "react";
import { manifestDraft } from "@/lib/contract/manifest-draft";
import { ManifestEditor } from "./manifest-editor";
import type { EditedListing } from "./use-editor";

interface StoredDraftEditorProps {
  listing: EditedListing;
  /** The draft as JSON. A server component sends long strings as UTF-8, which turns half a surrogate pair into another character; JSON writes it as an escape. */
  draftJson: string;
}

/** The editor of a draft as the page's server component hands it over. */
export function StoredDraftEditor({ listing, draftJson }: StoredDraftEditorProps) {
  const [draft] = useState(() => manifestDraft.parse(JSON.parse(draftJson)));
  return <ManifestEditor listing={listing} draft={draft} />;
}
