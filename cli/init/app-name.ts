import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { type AppName, slug, splitAppName } from "@/lib/contract/names";
import { Failure, visible } from "../terminal/failure";

/** Refuses a name that a manifest can't have. */
export function checkName(text: string): AppName {
  const name = splitAppName(text);
  if (name !== undefined) return name;
  const parts = text.split("/");
  const problem =
    parts.length === 2
      ? (parts.map(slugProblem).find((each) => each !== undefined) ?? "")
      : "It must have two parts, separated by a slash.";
  throw new Failure("WRONG_USAGE", `"${visible(text)}" is not a valid app name. ${problem}`, {
    next: [
      `Pass your organization's slug and a name for the app, such as acme/vin-lookup. ${MANIFEST_FILE} stores it as "name".`,
    ],
  });
}

/** What is wrong with one part of a name. */
export function slugProblem(text: string): string | undefined {
  return slug.safeParse(text).error?.issues[0]?.message;
}
