import { DOCS_PAGES, docsPath, partsOf } from "@/lib/contract/platform/docs-pages";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Platform } from "../platform/platform";
import {
  selectSitemapListings,
  selectSitemapPublishers,
  selectSitemapPublisherStarts,
  selectSitemapStarts,
} from "./marketplace-queries";

/** A sitemap may have 50,000 addresses. */
const PAGE = 10_000;
const DOCS = DOCS_PAGES.flatMap(({ slug }) => [
  docsPath(slug),
  ...partsOf(slug).map((part) => docsPath(slug, part.slug)),
]);
const FIXED_PAGES = ["/", "/marketplace", "/docs", ...DOCS];
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The index: a file for the fixed pages and the first publishers, and one for each 10,000 publishers and listings, named by the first. */
export async function writeSitemapIndex({ db, environment }: Platform, size = PAGE): Promise<Response> {
  const [[, ...publishers], listings] = await Promise.all([
    selectSitemapPublisherStarts(db, size),
    selectSitemapStarts(db, size),
  ]);
  const names = ["publishers", ...publishers.map((slug) => `publishers-${slug}`), ...listings];
  const files = names.map(
    (name) => `<sitemap>${location(environment.PLATFORM_WEB_URL, `/sitemaps/${name}.xml`)}</sitemap>`,
  );
  return respond(`<sitemapindex ${XMLNS}>${files.join("")}</sitemapindex>`);
}

/** Throws NOT_FOUND for a name that no index can have. */
export async function writeSitemap(
  { db, environment }: Platform,
  file: string,
  size = PAGE,
): Promise<Response> {
  const name = /^(.+)\.xml$/.exec(file)?.[1] ?? "";
  const url = (path: string, changed?: Date) =>
    `<url>${location(environment.PLATFORM_WEB_URL, path)}${changed === undefined ? "" : `<lastmod>${changed.toISOString()}</lastmod>`}</url>`;
  const [isPublishers, from] = /^publishers(?:-([a-z0-9-]+))?$/.exec(name) ?? [];
  if (isPublishers !== undefined) {
    const slugs = await selectSitemapPublishers(db, from, size);
    const fixed = from === undefined ? FIXED_PAGES : [];
    return respondWith([...fixed, ...slugs.map((slug) => `/publishers/${slug}`)].map((path) => url(path)));
  }
  if (!isId(name)) throw new Problem("NOT_FOUND");
  const listings = await selectSitemapListings(db, name, size);
  return respondWith(
    listings.map(({ organizationSlug, appName, updatedAt }) =>
      url(`/marketplace/${organizationSlug}/${appName}`, updatedAt),
    ),
  );
}

/** Crawlers may read what visitors see. */
export function writeRobots({ environment }: Platform): Response {
  const { origin } = new URL(environment.PLATFORM_WEB_URL);
  const lines = [
    "User-agent: *",
    ...["/", "/marketplace", "/publishers/", "/images/", "/docs", "/docs/", "/_next/static/"].map(
      (path) => `Allow: ${path}${path === "/" ? "$" : ""}`,
    ),
    "Disallow: /",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" };
  return new Response(`${lines.join("\n")}\n`, { headers });
}

/** Slugs and ids need no escaping in XML. */
function location(webUrl: string, path: string): string {
  return `<loc>${new URL(webUrl).origin}${path}</loc>`;
}

const respondWith = (urls: string[]) => respond(`<urlset ${XMLNS}>${urls.join("")}</urlset>`);

function respond(xml: string): Response {
  const headers = {
    "content-type": "application/xml; charset=utf-8",
    "cache-control": "public, max-age=3600",
  };
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${xml}`, { headers });
}
