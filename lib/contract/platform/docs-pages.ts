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

const COMMANDS = [
  { slug: "account", title: "Account" },
  { slug: "development", title: "Development" },
  { slug: "emulator", title: "Emulator" },
  { slug: "publishing", title: "Publishing" },
  { slug: "operation", title: "Operation" },
] as const;

/**
 * Pages that would be too long: each part is a page of its own. The page itself lists what is on its parts. The parts of the errors are
 * the headings of `errors.md`; commands are assigned to parts in `lib/domain/surface/docs-entries.ts`, and operations of the API in
 * `lib/server/surface/api/list-operations.ts`.
 */
export const DOCS_PARTS = {
  cli: COMMANDS,
  json: COMMANDS,
  api: [
    { slug: "state", title: "State" },
    { slug: "core", title: "Core" },
    { slug: "endpoints", title: "Endpoints" },
    { slug: "apps", title: "Apps" },
    { slug: "versions", title: "Versions" },
    { slug: "drafts", title: "Manifest drafts" },
    { slug: "reviews", title: "Reviews" },
    { slug: "logs", title: "Logs" },
    { slug: "calls", title: "Calls" },
    { slug: "platform", title: "Platform" },
  ],
  errors: [
    { slug: "manifest", title: "Manifest" },
    { slug: "image", title: "Image" },
    { slug: "publishing", title: "Publishing" },
    { slug: "automatic-checks", title: "Automatic checks" },
    { slug: "starting-an-app", title: "Starting an app" },
    { slug: "calls", title: "Calls" },
    { slug: "configuration", title: "Configuration" },
    { slug: "sign-in-and-permissions", title: "Sign-in and permissions" },
    { slug: "command-line", title: "Command line" },
    { slug: "api-and-forms", title: "API and forms" },
  ],
} as const satisfies Partial<Record<DocsSlug, readonly DocsPage[]>>;

export type SplitSlug = keyof typeof DOCS_PARTS;
export type ApiPart = (typeof DOCS_PARTS)["api"][number]["slug"];

export function isSplit(slug: DocsSlug): slug is SplitSlug {
  return slug in DOCS_PARTS;
}

/** Empty for a page that is not split. */
export function partsOf(slug: DocsSlug): readonly DocsPage[] {
  return isSplit(slug) ? DOCS_PARTS[slug] : [];
}

/** A link to a page of the documentation. `anchor` is the id of a heading, or the slug of a part. */
export function docsPath(slug: DocsSlug, anchor?: string): string {
  if (!anchor) return `/docs/${slug}`;
  const isPart = partsOf(slug).some((part) => part.slug === anchor);
  return `/docs/${slug}${isPart ? "/" : "#"}${encodeURIComponent(anchor)}`;
}

/** A link to an entry of a part, such as an operation of the API. */
export function entryPath(slug: SplitSlug, part: string, id: string): string {
  return `/docs/${slug}/${part}#${encodeURIComponent(id)}`;
}
