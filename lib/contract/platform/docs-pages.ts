/**
 * The pages of the documentation, in reading order. The text of a page is `docs/guide/<slug>.md`; its front matter has the full
 * title. `title` here is the short one, for navigation and links.
 */
interface DocsPage {
  slug: string;
  title: string;
}

export const DOCS_SECTIONS = [
  {
    title: "Start",
    summary: "Publish your first app, and learn the terms that the platform uses.",
    pages: [
      { slug: "start", title: "Get started" },
      { slug: "concepts", title: "Concepts" },
    ],
  },
  {
    title: "Build",
    summary: "Declare what your app needs, read each customer's state, and answer calls.",
    pages: [
      { slug: "manifest", title: "Manifest" },
      { slug: "state-api", title: "State API" },
      { slug: "calls", title: "Calls" },
      { slug: "webhooks", title: "Webhooks" },
      { slug: "events", title: "Events" },
      { slug: "endpoints", title: "Endpoints" },
      { slug: "secrets", title: "Secrets" },
      { slug: "configuration-check", title: "Configuration check" },
      { slug: "snippets", title: "Code snippets" },
    ],
  },
  {
    title: "Test",
    summary: "Run your app with several customers on your own computer.",
    pages: [{ slug: "testing", title: "Test locally" }],
  },
  {
    title: "Publish",
    summary: "Publish a version, and submit it for review.",
    pages: [
      { slug: "publishing", title: "Publishing" },
      { slug: "review", title: "Review" },
    ],
  },
  {
    title: "Run",
    summary: "Monitor your app in production, and learn its limits.",
    pages: [
      { slug: "operating", title: "Operate your app" },
      { slug: "limits", title: "Limits" },
      { slug: "security", title: "Security" },
    ],
  },
  {
    title: "Reference",
    summary: "Look up a command, an API operation or an error code.",
    pages: [
      { slug: "cli", title: "Command line" },
      { slug: "json", title: "JSON output" },
      { slug: "api", title: "API" },
      { slug: "errors", title: "Errors" },
    ],
  },
] as const satisfies readonly { title: string; summary: string; pages: readonly DocsPage[] }[];

export type DocsSlug = (typeof DOCS_SECTIONS)[number]["pages"][number]["slug"];

export const DOCS_PAGES: readonly { slug: DocsSlug; title: string; section: string }[] =
  DOCS_SECTIONS.flatMap((section) => section.pages.map((page) => ({ ...page, section: section.title })));

export function isDocsSlug(text: string): text is DocsSlug {
  return DOCS_PAGES.some(({ slug }) => slug === text);
}

/** A link to a page of the documentation. `anchor` is the id of a heading, or an error code. */
export function docsPath(slug: DocsSlug, anchor?: string): string {
  return anchor ? `/docs/${slug}#${encodeURIComponent(anchor)}` : `/docs/${slug}`;
}
