"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Segments } from "@/components/ui/choices";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { isSameManifest } from "@/lib/domain/listing";

const TextDifference = dynamic(
  () =>
    import("@/components/manifest-editor/changes/text-difference").then(
      ({ TextDifference }) => TextDifference,
    ),
  { ssr: false, loading: () => <Skeleton className="h-64" /> },
);

const VIEWS = [
  { value: "difference", text: "Difference" },
  { value: "version", text: "This version" },
  { value: "image", text: "In the image" },
] as const;

interface ManifestTextsProps {
  number: string;
  /** What customers get. */
  text: string;
  /** What is at the root of the image. */
  imageText: string;
}

/** A version's manifest, the one in its image, and what differs. The texts differ after a release without a new image. */
export function ManifestTexts({ number, text, imageText }: ManifestTextsProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("difference");
  if (text === imageText)
    return (
      <Card title="Manifest" description="As it is at the root of the image.">
        <CodeBlock label="the manifest" code={text} />
      </Card>
    );
  const [versionLabel, imageLabel] = [`Version ${number}`, "At the root of the image"];
  return (
    <Card
      title="Manifest"
      description={
        isSameManifest(text, imageText)
          ? "The image contains the same manifest with another version number."
          : "The image contains another manifest. Customers get this version's; the app's own code may read the one in the image."
      }
      actions={<Segments label="Manifest" options={VIEWS} value={view} onChange={setView} />}
    >
      {view === "difference" && (
        <TextDifference before={imageText} after={text} beforeLabel={imageLabel} afterLabel={versionLabel} />
      )}
      {view === "version" && <CodeBlock label="this version's manifest" code={text} />}
      {view === "image" && <CodeBlock label="the image's manifest" code={imageText} />}
    </Card>
  );
}
