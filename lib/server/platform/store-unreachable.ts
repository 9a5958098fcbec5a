import { Problem } from "@/lib/contract/problem";

/** The store of images can't be read now. What it contains may be fine. */
export class StoreUnreachable extends Problem {
  constructor(detail: string) {
    super("UNAVAILABLE", detail);
  }
}
