/** Where a page of results ends: the rank of its last listing, since when that is public, and its id. */
import { isId } from "@/lib/contract/names";

export interface SearchCursor {
  rank: number;
  publicSince: Date;
  id: string;
}

export function writeCursor({ rank, publicSince, id }: SearchCursor): string {
  return `${rank}.${publicSince.getTime()}.${id}`;
}

/** Undefined, which is the first page, for anything that `writeCursor` doesn't write. */
export function parseCursor(text: string | undefined): SearchCursor | undefined {
  const [, rank = "", time = "", id = ""] = /^([0-3])\.(\d{1,13})\.([0-9a-f-]{36})$/.exec(text ?? "") ?? [];
  return isId(id) ? { rank: Number(rank), publicSince: new Date(Number(time)), id } : undefined;
}
