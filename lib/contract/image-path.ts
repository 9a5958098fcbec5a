/** Where a stored picture is served. Apart from its shape, so that public pages don't load zod (40 kB) to draw a picture. */
export function imagePath(digest: string): string {
  return `/images/${digest}.webp`;
}
