"use client";

import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { FormProvider, useForm, useFormContext, useWatch } from "react-hook-form";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyResolver } from "@/components/ui/forms/form-fields";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { Segments } from "@/components/ui/forms/segments";
import { TextLink } from "@/components/ui/links";
import { Toast } from "@/components/ui/toast";
import type { ListingDraft, ListingState, ListingText } from "@/lib/contract/catalog/listing";
import type { TextField } from "@/lib/contract/catalog/listing-terms";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import {
  type CheckedListing,
  checkListing,
  type ChecklistItem,
  listChangedFields,
} from "@/lib/domain/catalog/listing-text";
import { NO_TERMS } from "@/lib/domain/catalog/terms";
import { SaveState, useSyncState } from "../drafts/use-draft-sync";
import { LinkFields, NameFields, PictureFields, TermsFields } from "./listing-fields";
import { AboutFields, RequirementFields } from "./prose-fields";
import { PublishNotice, type TextReview } from "./publish-notice";
import { TextSync } from "./text-sync";

interface EditedListing {
  id: string;
  appName: string;
  state: ListingState;
  organizationSlug: string;
  organizationName: string;
}

interface ListingEditorProps {
  listing: EditedListing;
  draft: ListingDraft;
  publicText: ListingText;
  review: TextReview | undefined;
  /** Of the newest version. */
  manifest: Manifest | undefined;
  warnings: number;
  /** Of the draft, drawn by the server. */
  preview: ReactNode;
}

/** Edits the public text of an app, beside a preview of its page. */
export function ListingEditor(props: ListingEditorProps) {
  const { listing, draft } = props;
  const [message, setMessage] = useState<string>();
  const form = useForm<ListingText>({
    // Earlier releases stored texts without these. A field without a value would make a part of them of its own.
    defaultValues: {
      ...draft.text,
      terms: draft.text.terms ?? NO_TERMS,
      privacy: draft.text.privacy ?? null,
    },
    mode: "onChange",
    resolver: lazyResolver(async () => (await import("@/lib/contract/catalog/listing")).listingText),
  });
  return (
    <FormProvider {...form}>
      <TextSync listingId={listing.id} draft={draft} notify={setMessage}>
        <Frame {...props} />
        <Toast isShown={message !== undefined} onClose={() => setMessage(undefined)}>
          {message}
        </Toast>
      </TextSync>
    </FormProvider>
  );
}

// Rarely needed: somebody else saved the listing meanwhile.
const ConflictNotice = lazyPart(async () => (await import("./conflict-notice")).ConflictNotice);

interface LivePreviewProps {
  text: ListingText;
  publisher: { name: string };
  manifest: Manifest | undefined;
  /** What the server drew stays until the code is loaded. */
  drawn: ReactNode;
}

/** With the Markdown renderer, so it is loaded at the first change. */
const LivePreview = lazyPart<LivePreviewProps>(
  async () => (await import("../marketplace/listing-view")).ListingView,
  ({ drawn }) => drawn,
);

/** Countries have other names in a browser than on a server, so only the browser draws them. */
const PrivacyFields = lazyPart(
  async () => (await import("./privacy-fields")).PrivacyFields,
  <Card title="Privacy">
    <Skeleton className="h-24 w-full" />
  </Card>,
);

const VIEWS = [
  { value: "edit", text: "Edit" },
  { value: "preview", text: "Preview" },
] as const;

function Frame(props: ListingEditorProps) {
  const { listing, publicText, review, manifest, warnings } = props;
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("edit");
  const { control, setFocus } = useFormContext<ListingText>();
  const text = useWatch({ control, compute: (values: ListingText) => values });
  const hasConflict = useSyncState((state) => state.theirs !== undefined);
  const hidden = (part: typeof view) => (view === part ? "" : "max-xl:hidden");
  const show = (field: TextField) => {
    setView("edit");
    // After the form is drawn again.
    setTimeout(() => {
      const part = field === "screenshots" || field === "privacy" ? document.getElementById(field) : null;
      if (part === null) return setFocus(field);
      part.focus();
      part.scrollIntoView({ block: "nearest" });
    });
  };
  return (
    // On wide screens, the editor also uses the margins of the page's column.
    <div className="xl:mx-[calc(-1*clamp(0px,calc((100vw-80rem)/2),16rem))]">
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-lead font-semibold text-ink">Edit listing</h2>
        <SaveState />
      </div>
      {hasConflict && <ConflictNotice />}
      <div className="mb-4 xl:hidden">
        <Segments label="View" options={VIEWS} value={view} onChange={setView} />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className={`flex min-w-0 flex-col gap-6 ${hidden("edit")}`}>
          <PublishNotice listing={listing} publicText={publicText} text={text} review={review} />
          <form noValidate onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-6">
            <NameFields />
            <PictureFields />
            <AboutFields />
            <RequirementFields />
            <LinkFields />
            <PrivacyFields />
            <TermsFields />
          </form>
          <ChecklistCard
            appName={listing.appName}
            text={text}
            hasVersion={manifest !== undefined}
            warnings={warnings}
            onShow={show}
          />
        </div>
        <Preview {...props} text={text} className={hidden("preview")} />
      </div>
    </div>
  );
}

interface PreviewProps extends Pick<ListingEditorProps, "listing" | "draft" | "manifest" | "preview"> {
  text: ListingText;
  className: string;
}

/** Drawn after the keystroke, with the same components as the public page. */
function Preview({ listing, draft, text, manifest, preview, className }: PreviewProps) {
  const shown = useDeferredValue(text);
  const [drawn] = useState({ text: draft.text, preview });
  const view = { text: shown, publisher: { name: listing.organizationName }, manifest };
  return (
    <section
      aria-label="Preview"
      tabIndex={0}
      className={`min-w-0 overflow-y-auto rounded-card border border-dashed border-line-strong p-4 sm:p-6 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] ${className}`}
    >
      {listChangedFields(drawn.text, shown).length === 0 ? (
        drawn.preview
      ) : (
        <LivePreview {...view} drawn={drawn.preview} />
      )}
    </section>
  );
}

interface ChecklistCardProps extends CheckedListing {
  appName: string;
  onShow: (field: TextField) => void;
}

/** What moderators check. Each open item leads to where it is done. */
function ChecklistCard({ appName, onShow, ...checked }: ChecklistCardProps) {
  const items = checkListing(checked);
  const done = items.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title="What moderators check"
      description={`${done} of ${items.length} done. Only the required items are needed to submit.`}
    >
      <ul className="flex flex-col gap-2 text-small leading-5">
        {items.map((item) => (
          <li key={item.title} className="flex items-start gap-2">
            {item.isDone ? (
              <CircleCheck aria-label="Done" className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <CircleDashed aria-label="Open" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
            )}
            <span className={item.isDone ? "text-ink-faint" : "text-ink"}>
              {item.isDone ? item.title : <Where item={item} appName={appName} onShow={onShow} />}
              {item.isRequired && !item.isDone && <span className="text-danger"> required</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Where({
  item,
  appName,
  onShow,
}: { item: ChecklistItem } & Pick<ChecklistCardProps, "appName" | "onShow">) {
  const { at, title } = item;
  if ("page" in at)
    return (
      <TextLink
        href={at.page === "manifest" ? `/publish/${appName}/manifest` : `/publish/${appName}/versions`}
      >
        {title}
      </TextLink>
    );
  return (
    <button
      type="button"
      onClick={() => onShow(at.field)}
      className="cursor-pointer rounded-sm text-left text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"
    >
      {title}
    </button>
  );
}
