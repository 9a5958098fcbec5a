import { Problem } from "@/lib/contract/problem";

interface Bounds {
  bytes: number;
  /** Says what to send instead of something larger. */
  tooLarge: string;
  ms?: number;
}

/** The request's body. Throws TOO_LARGE as soon as it exceeds the limit, whatever its headers say, and TOO_SLOW when it takes too long. */
export async function readBody(request: Request, { bytes, tooLarge, ms }: Bounds): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = request.body?.getReader();
  let isLate = false;
  const end = () => {
    isLate = true;
    void reader?.cancel().catch(() => undefined);
  };
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  try {
    for (let left = bytes; reader !== undefined;) {
      const { done, value } = await reader.read();
      if (done) break;
      left -= value.byteLength;
      if (left < 0) {
        void reader.cancel().catch(() => undefined);
        throw new Problem("TOO_LARGE", tooLarge);
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new Problem("TOO_SLOW", "The upload took too long. Check your connection and try again.");
  return Buffer.concat(chunks);
}
