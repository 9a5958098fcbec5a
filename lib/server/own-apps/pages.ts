import type { Platform } from "../platform/platform";

/** The URL of a page of an app, for its publisher. */
export function appPage(platform: Platform, appName: string, below = ""): string {
  return webPage(platform, `/publish/${appName}${below}`);
}

export function webPage({ environment }: Platform, path: string): string {
  return new URL(path, environment.PLATFORM_WEB_URL).href;
}
