/** A position of a trail from a URL; 0, its beginning, for anything else. */
export function readPosition(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}
