import type { Metadata } from "next";
import { webEnvironment } from "./platform";

interface PageDescription {
  path: string;
  title: NonNullable<Metadata["title"]>;
  description: string;
  /** 1200 × 630. */
  image?: { path: string; alt: string };
  /** Keeps it out of search engines. */
  hidden?: boolean;
}

const SITE = "App Hosting Platform";

/** What search engines and link previews show of a public page. */
export function describePage({ path, title, description, image, hidden = false }: PageDescription): Metadata {
  const absolute = (local: string) => new URL(local, webEnvironment().PLATFORM_WEB_URL).href;
  const images =
    image === undefined ? [] : [{ url: absolute(image.path), alt: image.alt, width: 1200, height: 630 }];
  const plain = typeof title === "string" ? title : "absolute" in title ? title.absolute : SITE;
  return {
    title,
    description,
    alternates: { canonical: absolute(path) },
    openGraph: { type: "website", siteName: SITE, url: absolute(path), title: plain, description, images },
    twitter: { card: images.length > 0 ? "summary_large_image" : "summary" },
    ...(hidden ? { robots: { index: false } } : {}),
  };
}
