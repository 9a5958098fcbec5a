import {
  ArrowRight,
  BookOpen,
  Boxes,
  FlaskConical,
  Gauge,
  type LucideIcon,
  Rocket,
  Search,
} from "lucide-react";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton, TextLink } from "@/components/ui/links";
import { DOCS_SECTIONS, docsPath } from "@/lib/contract/platform/docs-pages";
import { CodeColors } from "./code-fence";

const ICONS: Record<(typeof DOCS_SECTIONS)[number]["title"], LucideIcon> = {
  Start: BookOpen,
  Build: Boxes,
  Test: FlaskConical,
  Publish: Rocket,
  Run: Gauge,
  Reference: Search,
};

const COMMANDS = `platform-app init vin-lookup
cd vin-lookup
platform-app dev`;

export function DocsHome() {
  return (
    <div className="min-w-0">
      <h1 className="text-3xl font-semibold tracking-tight wrap-anywhere hyphens-auto text-ink sm:text-4xl">
        Documentation
      </h1>
      <p className="mt-3 max-w-2xl text-base leading-7 text-ink-soft">
        Package your app as a container with one manifest. The platform runs it, and gives each call the state
        of exactly one customer.
      </p>
      <section
        aria-labelledby="ten-minutes"
        className="mt-8 grid items-center gap-6 rounded-card border border-line bg-surface p-5 shadow-low sm:p-6 md:grid-cols-2"
      >
        <div>
          <h2 id="ten-minutes" className="text-lg font-semibold tracking-tight text-ink">
            Your first app in ten minutes
          </h2>
          <p className="mt-2 leading-6 text-ink-soft">
            Create an app, run it on your own computer with two customers, publish it, and submit it for
            review.
          </p>
          <div className="mt-4">
            <LinkButton href={docsPath("start")} tone="primary">
              Get started
              <ArrowRight aria-hidden className="size-4" />
            </LinkButton>
          </div>
        </div>
        <CodeBlock code={COMMANDS} label="first commands">
          <CodeColors code={COMMANDS} language="sh" />
        </CodeBlock>
      </section>
      <div className="mt-6 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {DOCS_SECTIONS.map(({ title, summary, pages }) => {
          const Icon = ICONS[title];
          return (
            <section
              key={title}
              aria-label={title}
              className="rounded-card border border-line bg-surface p-5 shadow-low"
            >
              <Icon aria-hidden className="size-5 text-accent-text" />
              <h2 className="mt-3 font-semibold text-ink">{title}</h2>
              <p className="mt-1 text-small leading-5 text-ink-faint">{summary}</p>
              <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-small">
                {pages.map((page) => (
                  <li key={page.slug}>
                    <TextLink href={docsPath(page.slug)} standalone>
                      {page.title}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <p className="mt-8 text-small text-ink-faint">
        Did you get an error code?{" "}
        <TextLink href={docsPath("errors")}>Find it in the list of errors</TextLink>, or enter it in the
        search.
      </p>
    </div>
  );
}
