import { IMAGE_USES } from "@/lib/contract/image";
import { IMAGE_MEBIBYTES } from "@/lib/contract/listing-terms";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { readBody } from "../limits/read-body";
import { createShare } from "../limits/share";
import type { Platform } from "../platform/platform";
import { storeImage } from "./store-image";

/** Bounds the memory for files that are being received or wait to be decoded. */
const places = createShare({ total: 16, perKey: 4, queue: 0, queuePerKey: 0, longestWaitMs: 0 });

const BOUNDS = {
  bytes: IMAGE_MEBIBYTES * 1024 * 1024,
  tooLarge: `A picture can be up to ${IMAGE_MEBIBYTES} MiB. Make it smaller, or save it as WebP.`,
  ms: 30_000,
};

/** `?use=icon` or `screenshot`. Throws BAD_INPUT, TOO_LARGE, TOO_SLOW, TOO_MANY_REQUESTS, QUOTA_EXCEEDED. */
export async function receiveImage(platform: Platform, member: Member, request: Request) {
  const asked = new URL(request.url).searchParams.get("use");
  const use = IMAGE_USES.find((one) => one === asked);
  if (use === undefined) throw new Problem("BAD_INPUT", `Add ?use= with one of: ${IMAGE_USES.join(", ")}.`);
  const place = places.tryEnter(member.organization.id);
  if ("full" in place) {
    const detail = "Too many pictures are being uploaded. Try again in a moment.";
    throw new Problem("TOO_MANY_REQUESTS", detail, [], place.retryAfterSeconds);
  }
  try {
    return await storeImage(platform, member, await readBody(request, BOUNDS), use);
  } finally {
    place.leave();
  }
}
