import { createHash } from "node:crypto";
import type { Metadata, Sharp } from "sharp";
import { IMAGE_USES, type ImageUse, type StoredImage } from "@/lib/contract/catalog/listing";
import { IMAGE_MEBIBYTES } from "@/lib/contract/catalog/listing-terms";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { readBody } from "../platform/requests/read-request";
import { createShare } from "../platform/requests/share";
import { insertImage, selectImageBytes, selectImagesUsed } from "./picture-queries";
import { lockOrganization } from "./version-queries";

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

// Decodes a stranger's picture and encodes it again, so that nothing of the file itself is ever served.

const PIXELS = 20_000_000;
/** A row or a column alone costs the decoder memory: a picture of 20,000,000 × 1 pixels took 1.4 GiB. */
const SIDE = 10_000;
/** Of the pixels, as a decoder keeps them: PIXELS with four channels of 16 bits. */
const DECODED_BYTES = 8 * PIXELS;
/** How many copies of a picture's pixels its decoder keeps, where it isn't one: measured. */
const COPIES: Partial<Record<string, number>> = { heif: 4 };
const DEADLINE_SECONDS = 8;

/** A picture of the largest size takes 160 MB while it is decoded. */
const turns = createShare({ total: 2, perKey: 1, queue: 64, queuePerKey: 8, longestWaitMs: 20_000 });

/**
 * Loaded with the first picture, so that starting doesn't wait for it. One thread for each picture: others' requests need the
 * processor too. Nothing is decoded twice, so nothing is cached.
 */
async function loadDecoder() {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** What the first bytes say, and what the decoder must say too. */
const FORMATS = {
  png: (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  jpeg: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from("\xff\xd8\xff", "latin1")),
  webp: (bytes: Buffer) =>
    bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
  heif: (bytes: Buffer) => /^ftyp(avif|mif1)$/.test(bytes.toString("latin1", 4, 12)),
} as const;

interface EncodedImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/**
 * A WebP picture without metadata: a square of 256 pixels for icons, at most 1,600 pixels wide for screenshots. Throws
 * BAD_INPUT for anything but a still PNG, JPEG, WebP or AVIF picture of a sensible size, and TOO_MANY_REQUESTS.
 */
export async function encodeImage(
  organizationId: string,
  file: Buffer,
  use: ImageUse,
): Promise<EncodedImage> {
  const turn = await turns.enter(organizationId);
  if ("full" in turn)
    throw new Problem(
      "TOO_MANY_REQUESTS",
      "Too many pictures are being processed. Try again in a moment.",
      [],
      turn.retryAfterSeconds,
    );
  try {
    return await encode(file, use);
  } finally {
    turn.leave();
  }
}

async function encode(file: Buffer, use: ImageUse): Promise<EncodedImage> {
  const found = Object.entries(FORMATS).find(([, isIt]) => isIt(file))?.[0];
  // Nothing else reaches a decoder: SVG and PDF are programs.
  if (found === undefined) throw wrongFormat();
  const sharp = await loadDecoder();
  const picture = sharp(file, { limitInputPixels: PIXELS, failOn: "error", sequentialRead: true });
  const metadata = await picture.metadata().catch(refuseFailure);
  if (metadata.format !== found || (found === "heif" && metadata.compression !== "av1")) throw wrongFormat();
  checkSize(metadata, use);
  const { data, info } = await fit(picture.autoOrient(), use)
    .webp({ quality: 84 })
    .timeout({ seconds: DEADLINE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseFailure);
  return { bytes: data, width: info.width, height: info.height };
}

function fit(picture: Sharp, use: ImageUse): Sharp {
  if (use === "screenshot")
    return picture.resize({ width: 1600, height: 2400, fit: "inside", withoutEnlargement: true });
  // A picture that is not square is not cropped; the rest stays transparent.
  return picture.resize({ width: 256, height: 256, fit: "contain", background: "#00000000" });
}

const LEAST = { icon: 64, screenshot: 320 } as const satisfies Record<ImageUse, number>;

/** What the file's header says, before anything of it is decoded. */
function checkSize(metadata: Metadata, use: ImageUse): void {
  const { format, width, height, pages = 1, channels, depth } = metadata;
  if (pages > 1) throw new Problem("BAD_INPUT", "This is an animation. Upload a still picture.");
  if (Math.max(width, height) > SIDE) throw tooLong(width, height);
  if (width * height > PIXELS) throw tooManyPixels();
  const bytes = width * height * channels * (BYTES[depth] ?? WIDEST) * (COPIES[format] ?? 1);
  if (bytes > DECODED_BYTES)
    throw new Problem(
      "BAD_INPUT",
      "Decoding this picture would take too much memory. Upload a smaller one, or save it as WebP.",
    );
  if (Math.max(width, height) >= LEAST[use]) return;
  const name = use === "icon" ? "An icon" : "A screenshot";
  throw new Problem(
    "BAD_INPUT",
    `This picture is ${width} × ${height} pixels. ${name} needs at least ${LEAST[use]} pixels on its longer side.`,
  );
}

/** Of a channel of a pixel. */
const BYTES: Partial<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
const WIDEST = 16;

function tooLong(width: number, height: number): Problem {
  const size = `${width.toLocaleString("en-US")} × ${height.toLocaleString("en-US")}`;
  return new Problem(
    "BAD_INPUT",
    `This picture is ${size} pixels. Each side can have up to ${SIDE.toLocaleString("en-US")} pixels. Upload a smaller one.`,
  );
}

function wrongFormat(): Problem {
  return new Problem(
    "BAD_INPUT",
    `This file is not a PNG, JPEG, WebP, or AVIF picture. Export the picture in one of these formats, up to ${IMAGE_MEBIBYTES} MiB.`,
  );
}

function tooManyPixels(): Problem {
  return new Problem(
    "BAD_INPUT",
    `This picture has more than ${PIXELS / 1_000_000} million pixels. Upload a smaller one.`,
  );
}

/** Whatever the decoder reports is the file's fault. */
function refuseFailure(error: unknown): never {
  const message = error instanceof Error ? error.message : "";
  if (message.includes("pixel limit")) throw tooManyPixels();
  if (message.includes("timeout"))
    throw new Problem(
      "BAD_INPUT",
      `Decoding took longer than ${DEADLINE_SECONDS} seconds. Upload a simpler picture.`,
    );
  throw new Problem("BAD_INPUT", "This picture is damaged and can't be decoded. Export it again.");
}

/** Nothing runs, loads or frames even if a browser took the picture for a page. Other sites may show it, as crawlers do. */
const HEADERS = {
  "content-type": "image/webp",
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
};

/** `file`: `<digest>.webp`. Drafts' pictures are served too: nobody can guess the digest of one they haven't seen. */
export async function serveImage({ db }: Platform, file: string): Promise<Response> {
  const digest = /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];
  const bytes = digest && (await selectImageBytes(db, digest));
  if (!bytes) throw new Problem("NOT_FOUND");
  return new Response(new Uint8Array(bytes), { headers: { ...HEADERS, etag: `"${digest}"` } });
}
