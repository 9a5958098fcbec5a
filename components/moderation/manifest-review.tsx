"use client";

import { useState } from "react";
import { TextDifference } from "@/components/catalog/drafts/lazy-text-difference";
import { ChangeList } from "@/components/catalog/editor/changes/change-list";
import type { Comparison } from "@/components/catalog/editor/changes/compare-texts";
import { Card } from "@/components/ui/card";
import { Segments } from "@/components/ui/forms/segments";
import { ManifestLines } from "./anchored-threads";

type View = "changes" | "difference" | "lines" | "image";

interface ManifestReviewProps {
  number: string;
  /** What customers get. */
  text: string;
  /** What is at the root of the image, if that differs, and whether it differs in nothing but the version number. */
  image?: { text: string; isSame: boolean };
  /** An app that comes with the platform, as files instead of an image. */
  isExample?: boolean;
  /** The version approved last, and what differs from it; undefined before the first approval. */
  before: { number: string; text: string; comparison: Comparison } | undefined;
}

/** A version's manifest: what changed since the last approval, its lines with comments, and the one in the image if it differs. */
export function ManifestReview(props: ManifestReviewProps) {
  const { number, text, image, isExample = false, before } = props;
  const bundle = isExample ? "folder" : "image";
  const isOther = image?.isSame === false;
  const views: { value: View; text: string }[] = [
    ...(before === undefined
      ? []
      : ([
          { value: "changes", text: "Changes" },
          { value: "difference", text: "Difference" },
        ] as const)),
    { value: "lines", text: "Lines" },
    ...(image ? [{ value: "image", text: `In the ${bundle}` } as const] : []),
  ];
  const [view, setView] = useState<View>(before === undefined ? (isOther ? "image" : "lines") : "changes");
  return (
    <Card
      title="Manifest"
      description={describeImage(image, bundle)}
      actions={
        views.length > 1 && <Segments label="Manifest" options={views} value={view} onChange={setView} />
      }
    >
      {view === "changes" && before !== undefined && <Changes {...before} />}
      {view === "difference" && before !== undefined && (
        <TextDifference
          before={before.text}
          after={text}
          beforeLabel={`Version ${before.number}, last approved`}
          afterLabel={`Version ${number}`}
        />
      )}
      {view === "lines" && <ManifestLines text={text} />}
      {view === "image" && image && (
        <TextDifference
          before={image.text}
          after={text}
          beforeLabel={`At the root of the ${bundle}`}
          afterLabel={`Version ${number}`}
        />
      )}
    </Card>
  );
}

function describeImage(image: ManifestReviewProps["image"], bundle: "image" | "folder"): string {
  if (image === undefined)
    return `The manifest at the root of the ${bundle}. To comment on a line, select Lines.`;
  return image.isSame
    ? `The ${bundle} contains the same manifest with a different version number.`
    : `The ${bundle} contains a different manifest. The platform uses this version's manifest, but the app's code may read the one in the ${bundle}.`;
}

function Changes({ number, comparison }: NonNullable<ManifestReviewProps["before"]>) {
  if (comparison.type === "changes") return <ChangeList groups={comparison.groups} />;
  return (
    <p className="text-sm text-ink-soft">
      {comparison.type === "unreadable"
        ? "One of the manifests can't be read by this release. Compare the texts under Difference."
        : comparison.differentText
          ? `Only the version number or the formatting differs from version ${number}.`
          : `The same as version ${number}.`}
    </p>
  );
}
