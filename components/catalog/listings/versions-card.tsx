"use client";

import type { ReactNode } from "react";
import { Badge, StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { ShortId } from "@/components/ui/technical-text";
import { formatBytes } from "@/components/ui/values";
import type { ListingState, ReviewState } from "@/lib/contract/catalog/listing";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import { mayTestLaunch, type TestLaunch, testLaunchPath } from "../marketplace/launch-button";
import { ReleaseNotes, SubmitReviewButton } from "./listing-actions";

export interface VersionRow {
  id: string;
  number: string;
  imageDigest: string;
  archiveBytes: number;
  createdAt: Date;
  verifiedAt: Date | null;
  releaseNotes: string;
  /** The state of its newest review; null if it has none. */
  review: ReviewState | null;
  reviewId: string | null;
}

interface VersionsCardProps {
  listing: { id: string; state: ListingState; organizationSlug: string; appName: string };
  versions: VersionRow[];
  /** Of all pages. */
  total: number;
  testLaunches: TestLaunch[];
  /** The highest number of all versions that are verified. */
  highestVerified: string | undefined;
  /** The listing's state allows a review, and none of its reviews is pending. */
  mayReview: boolean;
  /** To the other versions. */
  pager: ReactNode;
}

/** A page of versions. */
export function VersionsCard(props: VersionsCardProps) {
  const { versions, total, pager } = props;
  return (
    <Card
      flush
      title="Versions"
      description={`${total.toLocaleString("en-US")} published. A version can't be changed: publish the next one instead.`}
    >
      <Table label="Versions">
        <TableHead columns={["Version", "Image", "Size", "Published", "State", ""]} />
        <TableBody>
          {versions.map((version) => (
            <TableRow key={version.id}>
              <TableCell className="font-medium whitespace-nowrap tabular-nums">{version.number}</TableCell>
              <TableCell label="Image" className="whitespace-nowrap">
                <ShortId value={version.imageDigest} label={`image digest of ${version.number}`} />
              </TableCell>
              <TableCell label="Size" className="whitespace-nowrap text-ink-soft tabular-nums">
                {formatBytes(version.archiveBytes)}
              </TableCell>
              <TableCell label="Published" className="whitespace-nowrap text-ink-soft">
                <RelativeTime at={version.createdAt} />
              </TableCell>
              <TableCell>
                <State {...props} version={version} />
              </TableCell>
              <TableCell>
                <span className="flex flex-wrap gap-2 sm:justify-end lg:min-w-60">
                  <Actions {...props} version={version} />
                </span>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <div className="px-4 pb-4 empty:hidden sm:px-6">{pager}</div>
    </Card>
  );
}

type PartProps = VersionsCardProps & { version: VersionRow };

/** Verified or not, its review, and its Test Launches. */
function State({ listing, version, testLaunches }: PartProps) {
  return (
    <span className="flex flex-col items-start gap-1.5">
      <VersionBadge verified={version.verifiedAt !== null} review={version.review} />
      {version.reviewId !== null && (
        <TextLink
          href={`/publish/${listing.appName}/reviews/${version.reviewId}`}
          standalone
          aria-label={`Review of version ${version.number}`}
          className="py-0.5 text-xs leading-5"
        >
          Review
        </TextLink>
      )}
      {testLaunches
        .filter(({ number }) => number === version.number)
        .map(({ id, tenantName }) => (
          <TextLink key={id} href={`/installations/${id}`} standalone className="py-0.5 text-xs leading-5">
            Test Launch on {tenantName}
          </TextLink>
        ))}
    </span>
  );
}

function Actions({ listing, version, highestVerified, mayReview }: PartProps) {
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const maySubmit = mayReview && version.verifiedAt === null && version.review !== "REJECTED";
  const isOlder = highestVerified !== undefined && compareVersions(highestVerified, version.number) > 0;
  const hasModerator = version.verifiedAt !== null || version.review === "PENDING";
  return (
    <>
      <ReleaseNotes
        key={version.releaseNotes}
        listingId={listing.id}
        version={version}
        isEditable={!hasModerator && listing.state !== "RETIRED"}
      />
      <LinkButton
        size="small"
        href={`/publish/${listing.appName}/logs?version=${version.number}`}
        aria-label={`Logs of ${version.number}`}
      >
        Logs
      </LinkButton>
      {maySubmit && (
        <SubmitReviewButton
          listingId={listing.id}
          appName={listing.appName}
          versionId={version.id}
          number={version.number}
          releaseNotes={version.releaseNotes}
          isPublic={listing.state === "PUBLIC"}
          newerVerified={isOlder ? highestVerified : undefined}
        />
      )}
      {mayTestLaunch(listing.state) && (
        <LinkButton
          size="small"
          href={testLaunchPath(name, version.id)}
          aria-label={`Test Launch ${version.number}`}
        >
          Test Launch
        </LinkButton>
      )}
    </>
  );
}

function VersionBadge({ verified, review }: { verified: boolean; review: ReviewState | null }) {
  if (verified) return <Badge tone="success">Verified</Badge>;
  if (review === null || review === "WITHDRAWN") return <Badge>Not verified</Badge>;
  return <StateBadge state={review} />;
}
