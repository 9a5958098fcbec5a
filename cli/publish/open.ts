import { toCallQuery } from "@/lib/contract/call-filter";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import { readStatus } from "../platform/apps-api";
import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import type { CliContext } from "../terminal/environment";
import { openBrowser } from "../terminal/open-browser";

export type WebPage = "listing" | "docs" | "logs" | "calls" | "keys";

/** Opens a page of the platform, or prints its URL if no browser starts. */
export async function openPage(context: CliContext, page: WebPage, options: AppOptions): Promise<void> {
  const { environment, terminal } = context;
  const url = await findPage(context, page, options);
  terminal.data({ page, url });
  if (terminal.interactive && (await openBrowser(url, environment.inherited))) terminal.note(`Opened ${url}`);
  else terminal.result(url);
}

async function findPage(context: CliContext, page: WebPage, options: AppOptions): Promise<string> {
  if (page === "docs" || page === "keys") {
    const { webUrl } = await whoami(await findCredentials(context.environment));
    return new URL(page === "docs" ? "/docs" : "/organization/api-keys", webUrl).href;
  }
  const app = await chooseApp(context, options);
  const { pages } = await readStatus(app);
  if (page === "logs") return pages.logs;
  if (page === "listing") return pages.app;
  return new URL(`/calls?${toCallQuery({ app: app.name }).toString()}`, pages.app).href;
}
