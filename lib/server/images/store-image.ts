import { createHash } from "node:crypto";
import type { ImageUse, StoredImage } from "@/lib/contract/image";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { lockOrganization } from "../versions/queries";
import { encodeImage } from "./encode-image";
import { insertImage, selectImagesUsed } from "./queries";

const MB = 1_000_000;

/** Stores the picture as the platform encoded it. Throws BAD_INPUT, TOO_MANY_REQUESTS, QUOTA_EXCEEDED. */
export async function storeImage(
  platform: Platform,
  member: Member,
  file: Buffer,
  use: ImageUse,
): Promise<StoredImage> {
  const organizationId = member.organization.id;
  const { bytes, width, height } = await encodeImage(organizationId, file, use);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return platform.db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await insertImage(tx, { organizationId, digest, width, height, bytes });
    const quota = platform.environment.PLATFORM_IMAGE_QUOTA_MB;
    if ((await selectImagesUsed(tx, organizationId)) > quota * MB)
      throw new Problem(
        "QUOTA_EXCEEDED",
        `This picture would exceed your organization's limit of ${quota} MB for pictures. Unused pictures are removed after a day. To store more, ask the platform's operator.`,
      );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "image.store",
      subject: `image:${digest}`,
      details: { use, width, height, bytes: bytes.length },
    });
    return { digest, width, height };
  });
}
