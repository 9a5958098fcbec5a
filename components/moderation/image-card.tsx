import { Badge } from "@/components/ui/badge";
import { Card, MoreNote } from "@/components/ui/card";
import { ShortId } from "@/components/ui/technical-text";
import { Facts, formatBytes, UserText } from "@/components/ui/values";

interface Image {
  archiveBytes: number;
  layers: readonly { diffId: string; bytes: number }[];
  user: string;
  exposedPorts: readonly string[];
  environmentNames: readonly string[];
  /** How many ports, volumes and environment variables are not listed. */
  unlisted: number;
}

interface ImageCardProps {
  imageDigest: string;
  /** An app that comes with the platform, as files instead of an image. */
  isExample: boolean;
  /** Null of an example, and if the archive is not in the store. */
  image: { facts: Image; before: Image | undefined; sharedLayers: number } | null;
  /** The number of the version approved last. */
  beforeNumber: string | undefined;
}

/** The image's details, and what is new since the last approval. */
export function ImageCard({ imageDigest, isExample, image, beforeNumber }: ImageCardProps) {
  const digest = <ShortId key="digest" value={imageDigest} label={isExample ? "digest" : "image digest"} />;
  if (image === null)
    return (
      <Card
        title={isExample ? "Files" : "Image"}
        description={
          isExample
            ? "This example app comes with the platform and runs from its folder, without an image. The digest covers all of its files."
            : "The image's archive is not in the store, so its details can't be read."
        }
      >
        <Facts facts={[["Digest", digest]]} />
      </Card>
    );
  const { facts, before, sharedLayers } = image;
  return (
    <Card
      title="Image"
      description={
        before === undefined ? undefined : `Compared with version ${beforeNumber}, which was approved last.`
      }
    >
      <Facts
        facts={[
          ["Digest", digest],
          [
            "Size",
            <Was
              key="size"
              now={formatBytes(facts.archiveBytes)}
              before={before && formatBytes(before.archiveBytes)}
            />,
          ],
          ["Layers", describeLayers(facts.layers.length, before && sharedLayers)],
          ["User", <Was key="user" now={facts.user || "none"} before={before && (before.user || "none")} />],
          ["Exposed ports", <Names key="ports" now={facts.exposedPorts} before={before?.exposedPorts} />],
          [
            "Environment",
            <Names key="names" now={facts.environmentNames} before={before?.environmentNames} />,
          ],
        ]}
      />
      <MoreNote
        count={facts.unlisted}
        one="port, volume, or environment variable"
        many="ports, volumes, and environment variables"
      >
        Inspect the image before you approve it.
      </MoreNote>
    </Card>
  );
}

/** `shared`: how many the version approved last has too; undefined without one. */
function describeLayers(count: number, shared: number | undefined): string {
  if (shared === undefined) return String(count);
  return shared === count ? `${count}, all unchanged` : `${count}, ${shared} of them unchanged`;
}

/** A value, with the earlier one if it differs. */
function Was({ now, before }: { now: string; before: string | undefined }) {
  return (
    <>
      <UserText>{now}</UserText>
      {before !== undefined && before !== now && (
        <span className="block text-small text-ink-faint">
          was <UserText>{before}</UserText>
        </span>
      )}
    </>
  );
}

/** A list of names: what is new is marked, and what is gone is listed below. */
function Names({ now, before }: { now: readonly string[]; before: readonly string[] | undefined }) {
  const gone = before?.filter((name) => !now.includes(name)) ?? [];
  return (
    <span className="flex flex-col items-end gap-1">
      {now.length === 0 && "none"}
      {now.map((name) => (
        <span key={name} className="flex flex-wrap items-center justify-end gap-2">
          <UserText translate="no" className="font-mono text-small wrap-anywhere">
            {name}
          </UserText>
          {before?.includes(name) === false && <Badge tone="warning">New</Badge>}
        </span>
      ))}
      {gone.length > 0 && (
        <span className="text-small text-ink-faint">
          removed: <UserText>{gone.join(", ")}</UserText>
        </span>
      )}
    </span>
  );
}
