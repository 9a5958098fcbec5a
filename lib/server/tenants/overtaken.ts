import { Problem } from "@/lib/contract/problem";

/** For what was read of a core while someone changed how that core is reached. */
export function overtaken(): Problem {
  return new Problem(
    "WRONG_STATE",
    "Someone else changed this tenant while its core was read. Load the page again, then repeat this.",
  );
}
