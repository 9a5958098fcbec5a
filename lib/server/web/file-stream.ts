interface FileHead {
  /** Letters, digits, hyphens and dots. */
  name: string;
  type: string;
}

/** Answers with a file that is written while it is read: it may be larger than memory. */
export function respondWithFile(parts: AsyncGenerator<string>, { name, type }: FileHead): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Nothing asks again after a part that adds nothing.
      let part = await parts.next();
      while (part.done !== true && part.value === "") part = await parts.next();
      if (part.done === true) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    cancel: () => void parts.return(undefined),
  });
  const headers = {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
  };
  return new Response(body, { headers });
}
