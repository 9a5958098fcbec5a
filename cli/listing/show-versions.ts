import type { AppVersions } from "@/lib/contract/own-app";
import { listVersions } from "../platform/apps-api";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import type { CliContext } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { alignRows, type Row } from "../terminal/table";
import { describeAge } from "../terminal/times";
import { describeReview } from "./describe-review";

export interface VersionsOptions extends AppOptions {
  all?: boolean;
}

type Version = AppVersions["versions"][number];

export async function showVersions(context: CliContext, options: VersionsOptions): Promise<void> {
  const { terminal } = context;
  const app = await chooseApp(context, options);
  const versions: Version[] = [];
  let next: string | undefined;
  do {
    const page = await listVersions(app, next);
    versions.push(...page.versions);
    next = page.next;
  } while (options.all === true && next !== undefined);
  for (const version of versions) terminal.data(version);
  if (versions.length === 0)
    return terminal.result(
      `${app.name} has no versions yet. Publish the first one:  platform-app publish --build .`,
    );
  const { bold, dim, green } = style(terminal);
  const head = ["VERSION", "STATE", "PUBLISHED", "BY", "IN USE", "IMAGE"].map((text) => ({
    text,
    paint: dim,
  }));
  const rows = versions.map((version): Row => {
    const { verifiedAt, review } = version;
    const state =
      verifiedAt !== null ? "verified" : review === null ? "not submitted" : describeReview(review);
    return [
      { text: version.version, paint: bold },
      { text: state, paint: verifiedAt === null ? undefined : green },
      describeAge(version.publishedAt),
      visible(version.publishedBy ?? "unknown"),
      { text: String(version.installations), right: true },
      { text: version.imageDigest.slice(0, "sha256:".length + 12), paint: dim },
    ];
  });
  for (const line of alignRows([head, ...rows])) terminal.result(line);
  if (next !== undefined) terminal.note("Older versions are not shown. To list all versions, use --all.");
}
