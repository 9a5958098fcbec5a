import * as z from "zod";

/** What a picture is for, which decides its size. */
export const IMAGE_USES = ["icon", "screenshot"] as const;
export type ImageUse = (typeof IMAGE_USES)[number];

/** The SHA-256 of a stored picture, in hex. */
export const imageDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "This is not the digest of an uploaded picture.");

export const storedImage = z.object({ digest: imageDigest, width: z.int(), height: z.int() });
export type StoredImage = z.infer<typeof storedImage>;
