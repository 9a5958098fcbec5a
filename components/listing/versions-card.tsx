import { Package } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead } from "@/components/ui/table";
import { byteText, Digest } from "./digest";
import { SubmitReviewButton } from "./submit-review-button";

export interface VersionRow {
  id: string;
  number: string;
  imageDigest: string;
  archiveBytes: number;
  createdAt: Date;
  verifiedAt: Date | null;
}

interface VersionsCardProps {
  listing: { id: string; state: string };
  versions: VersionRow[];
  /** The version that waits for a verdict. */
  pendingVersionId: string | undefined;
  /** The listing's state takes a review. */
  reviewable: boolean;
}

/** Newest first. */
export function VersionsCard({ listing, versions, pendingVersionId, reviewable }: VersionsCardProps) {
  return (
    <Card flush title="Versions" description="Each is immutable: a number, an image and its manifest.">
      {versions.length === 0 ? (
        <EmptyState icon={Package} title="No version yet">
          Publish your image with the command line, as below. The version appears here as soon as it is
          uploaded and checked.
        </EmptyState>
      ) : (
        <Table label="Versions">
          <TableHead columns={["Version", "Image", "Size", "Published", "State", ""]} />
          <TableBody>
            {versions.map((version) => (
              <tr key={version.id}>
                <TableCell className="font-medium whitespace-nowrap tabular-nums">{version.number}</TableCell>
                <TableCell>
                  <Digest digest={version.imageDigest} />
                </TableCell>
                <TableCell className="whitespace-nowrap text-ink-soft tabular-nums">
                  {byteText(version.archiveBytes)}
                </TableCell>
                <TableCell className="whitespace-nowrap text-ink-soft">
                  <RelativeTime at={version.createdAt} />
                </TableCell>
                <TableCell>
                  <VersionBadge
                    verified={version.verifiedAt !== null}
                    pending={version.id === pendingVersionId}
                  />
                </TableCell>
                <TableCell className="text-right">
                  {reviewable && pendingVersionId === undefined && version.verifiedAt === null && (
                    <SubmitReviewButton
                      listingId={listing.id}
                      versionId={version.id}
                      number={version.number}
                      isPublic={listing.state === "PUBLIC"}
                    />
                  )}
                </TableCell>
              </tr>
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}

function VersionBadge({ verified, pending }: { verified: boolean; pending: boolean }) {
  if (verified) return <Badge tone="success">Verified</Badge>;
  return pending ? <Badge tone="warning">In review</Badge> : <Badge>Not verified</Badge>;
}
