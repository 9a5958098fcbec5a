"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/forms/dialog";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { DOCKERFILE_LINE, publishCommands } from "@/lib/contract/catalog/publish-commands";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { isError, Problem } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareManifests, type ManifestChange } from "@/lib/domain/catalog/manifest/compare-manifests";
import { bumpVersion, compareVersions } from "@/lib/domain/catalog/manifest/version";
import { useSync, useSyncState } from "../../drafts/use-draft-sync";
import { ReleaseNotesField } from "../../listings/listing-actions";
import { type EditedListing, useEditedListing, useEditorStore } from "../model/editor-store";
import { capitalize, nameEntry } from "../model/entry-labels";
import { countText, jumpToNextProblem } from "../model/labels";
import { loadVersionManifest, releaseDraft } from "../model/sync-draft";
import { Impact } from "./impact";

interface ReleaseDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

/** Releases the draft as a version with the latest image. */
export function ReleaseDialog({ isOpen, onOpenChange, onReleased }: ReleaseDialogProps) {
  const store = useEditorStore();
  const sync = useSync();
  const router = useRouter();
  const { id } = useEditedListing();
  const revision = useSyncState((state) => state.base.revision);
  const plan = useReleasePlan(isOpen);
  const [notes, setNotes] = useState("");
  const release = useMutation({
    mutationFn: () => releaseDraft(id, { revision, notes }),
    onSuccess: ({ versionId, number, draft }) => {
      setNotes("");
      sync.adopt(draft, `Release ${number}`);
      onReleased({ versionId, number, createdAt: new Date().toISOString(), differs: false });
      onOpenChange(false);
      store.notify(`Released as version ${number}`);
      router.refresh();
    },
  });
  const change = (open: boolean) => {
    if (!open) release.reset();
    onOpenChange(open);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      isBusy={release.isPending}
      title="Release"
      description="Text-only release: reuses the latest image"
      footer={
        <>
          <Button onPress={() => change(false)} isDisabled={release.isPending}>
            {plan.type === "ready" ? "Cancel" : "Close"}
          </Button>
          <Button
            tone="primary"
            isDisabled={plan.type !== "ready"}
            isPending={release.isPending}
            onPress={() => release.mutate()}
          >
            {plan.type === "ready" ? `Release ${plan.number}` : "Release"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {plan.type === "loading" && <Skeleton className="h-24" />}
        {plan.type === "unsaved" && (
          <Notice tone="warning" title="The draft is not saved yet">
            Only the saved draft can be released. {plan.reason}
          </Notice>
        )}
        <ProblemNotice error={plan.type === "failed" ? plan.error : undefined} />
        <ReleasePlanView plan={plan} close={() => change(false)} />
        {plan.type === "ready" && <ReleaseNotesField value={notes} onChange={setNotes} />}
        {plan.type === "ready" && <Impact />}
        <ProblemNotice error={release.error} />
        <ImageInstructions />
      </div>
    </Dialog>
  );
}

function ImageInstructions() {
  const { name, appName } = useEditedListing();
  const { pull, build, publish } = publishCommands(name);
  return (
    <section>
      <h3 className="text-small font-medium text-ink">With a new image</h3>
      <p className="mt-0.5 mb-2 text-small leading-5">
        In the folder of {appName}, pull the manifest into {MANIFEST_FILE}, build the image and publish it.
        The Dockerfile needs the line{" "}
        <code translate="no" className="font-mono">
          {DOCKERFILE_LINE}
        </code>
        . To install platform-app and sign in, see{" "}
        <TextLink href={`/publish/${appName}`}>the listing&apos;s page</TextLink>.
      </p>
      <CodeBlock code={[pull, build, publish].join("\n")} label="Commands for a new image" wrap />
    </section>
  );
}

/** What the release contains, or what prevents it. */
function ReleasePlanView({ plan, close }: { plan: ShownPlan; close: () => void }) {
  const store = useEditorStore();
  switch (plan.type) {
    case "loading":
    case "unsaved":
    case "failed":
      return null;
    case "no-image":
      return (
        <Notice title="There is no image yet">
          The first version needs an image. Build and publish one with this manifest as shown below.
        </Notice>
      );
    case "broken":
      return (
        <Notice
          tone="danger"
          title={`Fix ${countText(plan.errors, "error")} first`}
          actions={
            <Button
              size="small"
              onPress={() => {
                close();
                // After the closing dialog has returned the focus.
                setTimeout(() => jumpToNextProblem(store, 1), 60);
              }}
            >
              Show the first problem
            </Button>
          }
        >
          A draft may contain errors; a version can&apos;t.
        </Notice>
      );
    case "same":
      return (
        <Notice title="Nothing to release">
          Nothing has changed since version {plan.number}. A different version number is not a change.
        </Notice>
      );
    case "needs-image": {
      const changes = plan.changes.filter(({ needsImage }) => needsImage);
      return (
        <Notice
          tone="warning"
          title={
            changes.length === 1 ? "1 change needs a new image" : `${changes.length} changes need a new image`
          }
        >
          <p>
            The app&apos;s code may depend on them. Publish a new image as shown below, or undo them and
            release the rest.
          </p>
          <Changes changes={changes} />
        </Notice>
      );
    }
    case "ready":
      return (
        <div>
          <p>
            Version <strong className="font-semibold text-ink tabular-nums">{plan.number}</strong> contains{" "}
            {countText(plan.changes.length, "change")}. It needs verification like any other version, and
            installations keep their version until their operators upgrade.
          </p>
          <Changes changes={plan.changes} />
        </div>
      );
  }
}

const MAX_CHANGES = 20;
const MAX_MEMBERS = 5;

function Changes({ changes }: { changes: readonly ManifestChange[] }) {
  return (
    <ul className="mt-2 list-disc space-y-1 pl-4 text-small leading-5">
      {changes.slice(0, MAX_CHANGES).map((change, index) => (
        <li key={index} className="break-words">
          {describeChange(change)}
        </li>
      ))}
      {changes.length > MAX_CHANGES && <li>and {changes.length - MAX_CHANGES} more in the Changes tab</li>}
    </ul>
  );
}

function describeChange({ kind, change, title, name, details }: ManifestChange): string {
  const subject = kind === "app" ? "App" : `${capitalize(nameEntry(kind))} "${title === "" ? name : title}"`;
  const more = details.length - MAX_MEMBERS;
  const members =
    change === "changed"
      ? [
          ...details.slice(0, MAX_MEMBERS).map(({ member }) => member),
          ...(more > 0 ? [`and ${more} more`] : []),
        ]
      : [];
  return `${subject}: ${change}${members.length === 0 ? "" : ` (${members.join(", ")})`}`;
}

type ReleasePlan =
  | { type: "no-image" }
  | { type: "broken"; errors: number }
  | { type: "same"; number: string }
  /** Some of the changes need a new image. */
  | { type: "needs-image"; changes: readonly ManifestChange[] }
  | { type: "ready"; number: string; changes: readonly ManifestChange[] };

type ShownPlan =
  | ReleasePlan
  | { type: "loading" }
  | { type: "unsaved"; reason: string }
  | { type: "failed"; error: unknown };

/** Saves the draft when the dialog opens, then compares it with the published version. */
function useReleasePlan(isOpen: boolean): ShownPlan {
  const store = useEditorStore();
  const sync = useSync();
  const { id, name, published } = useEditedListing();
  const status = useSyncState((state) => state.status);
  const [hasTriedToSave, setTried] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let isClosed = false;
    void sync.saveNow().finally(() => !isClosed && setTried(true));
    return () => {
      isClosed = true;
      setTried(false);
    };
  }, [isOpen, sync]);
  const newest = useQuery({
    queryKey: ["version-manifest", id, published?.versionId],
    queryFn: ({ signal }) => loadVersionManifest(id, published?.versionId ?? "", signal),
    enabled: isOpen && published !== undefined,
    staleTime: Infinity,
  });
  if (!isOpen || !hasTriedToSave || status.type === "saving") return { type: "loading" };
  if (status.type !== "saved")
    return { type: "unsaved", reason: status.type === "refused" ? status.reason : "" };
  if (published === undefined) return { type: "no-image" };
  if (newest.error !== null) return { type: "failed", error: newest.error };
  if (newest.data === undefined) return { type: "loading" };
  return planRelease(newest.data, store.getState().outline.text, name);
}

/** Applies the server's rules for text-only releases. */
export function planRelease(
  newest: { number: string; text: string },
  text: string,
  listingName: string,
): ReleasePlan {
  const { manifest, issues } = checkManifest(text);
  const published = checkManifest(newest.text).manifest;
  const errors = issues.filter(isError).length;
  if (manifest === undefined || published === undefined || manifest.name !== listingName)
    return { type: "broken", errors: Math.max(errors, 1) };
  const changes = compareManifests(published, manifest);
  if (changes.length === 0) return { type: "same", number: newest.number };
  if (changes.some(({ needsImage }) => needsImage)) return { type: "needs-image", changes };
  return { type: "ready", number: nextNumber(manifest.version, newest.number), changes };
}

/** The draft's own number if it is higher. */
function nextNumber(version: string, newest: string): string {
  try {
    return compareVersions(version, newest) > 0 ? version : bumpVersion(newest);
  } catch (error) {
    if (error instanceof Problem) return version;
    throw error;
  }
}
