/** A listing as everybody sees it: on its public page, beside the publisher's editor, and in a review. */
import { ExternalLink, Mail } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { RightsList } from "@/components/catalog/configuration-form/rights-list";
import { Card } from "@/components/ui/card";
import { PageLink } from "@/components/ui/links";
import { UserText } from "@/components/ui/values";
import {
  mailTo,
  parseHttpsUrl,
  parseMailAddress,
  type ListingText as Text,
} from "@/lib/contract/catalog/listing";
import { CATEGORY_NAMES } from "@/lib/contract/catalog/listing-terms";
import type { Enforcement } from "@/lib/contract/catalog/rights";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { describeApp } from "@/lib/domain/catalog/describe-app";
import { NO_TERMS } from "@/lib/domain/catalog/terms";
import { viewRights } from "@/lib/domain/catalog/rights";
import { AppIcon } from "./listing-cards";
import { Markdown } from "./markdown";
import { PrivacyCard } from "./privacy-card";
import { VerifiedDomains } from "./publisher-profile";
import { Screenshots } from "./screenshots";

interface ListingViewProps {
  text: Text;
  /** `contact`: where to reach it, if the listing itself names nothing. `domains`: those that it has proven. */
  publisher: { name: string; href?: string; contact?: string; domains?: readonly string[] };
  /** The manifest of the version that customers launch, if there is one. */
  manifest?: Manifest;
  enforcement?: Enforcement;
  /** The app used every host that it declares. */
  usesAll?: boolean;
  /** `h1` on a page of its own. */
  heading?: "h1" | "h2";
  /** Beside the title, such as a state. */
  badges?: ReactNode;
  /** Stay in view: at the top of the narrow column, and on a phone at the lower edge. */
  actions?: ReactNode;
  notice?: ReactNode;
  /** What else there is to know of the app itself, before what its publisher wrote. */
  facts?: ReactNode;
  /** After the text. */
  children?: ReactNode;
  /** In the narrow column, before and after the links. */
  aside?: ReactNode;
  afterLinks?: ReactNode;
}

/**
 * First what the app does with whose data, as its manifest says it, then what its publisher says. Adapts to the width of its container,
 * not of the window: an editor shows it in half of one.
 */
export function ListingView(props: ListingViewProps) {
  const {
    text,
    publisher,
    manifest,
    usesAll = false,
    enforcement,
    heading,
    badges,
    actions,
    notice,
    facts,
    children,
  } = props;
  const { aside, afterLinks } = props;
  const links = listLinks(text, publisher.contact);
  const isOneColumn =
    links.length === 0 && aside === undefined && actions === undefined && afterLinks === undefined;
  return (
    <article className="@container">
      <ListingHead {...{ text, publisher, usesAll, heading, badges }} />
      <div
        className={`grid items-start gap-6 ${isOneColumn ? "" : "@3xl:grid-cols-[minmax(0,1fr)_17.5rem]"}`}
      >
        <div className="flex min-w-0 flex-col gap-6">
          {notice}
          {manifest !== undefined && <InPlainWords {...{ manifest, enforcement, usesAll }} />}
          {facts}
          <Screenshots screenshots={text.screenshots} />
          <ListingText about={text.about} requirements={text.requirements} />
          <PrivacyCard declared={text.privacy} />
          {children}
        </div>
        <div className="flex min-w-0 flex-col gap-6 @3xl:sticky @3xl:top-8">
          {actions !== undefined && (
            <div className="hidden flex-col gap-2 empty:hidden @3xl:flex print:hidden">{actions}</div>
          )}
          {aside}
          {links.length > 0 && <ListingLinks links={links} />}
          {afterLinks}
        </div>
      </div>
      {actions !== undefined && (
        <div
          data-lower-bar
          className="sticky bottom-0 z-10 -mx-4 mt-6 flex flex-wrap gap-2 border-t border-line bg-surface px-4 py-3 empty:hidden sm:-mx-8 sm:px-8 @3xl:hidden print:hidden"
        >
          {actions}
        </div>
      )}
    </article>
  );
}

type HeadProps = Pick<ListingViewProps, "text" | "publisher" | "usesAll" | "heading" | "badges">;

const USES_ALL = "Asks for nothing it doesn't use";

function ListingHead({ text, publisher, usesAll, heading: Heading = "h2", badges }: HeadProps) {
  const { title, tagline, category, icon } = text;
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4 @3xl:mb-8">
      <div className="flex min-w-0 flex-1 basis-72 flex-wrap items-start gap-4">
        <AppIcon title={title} icon={icon} size="huge" />
        <div className="min-w-0 flex-1 basis-44">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Heading className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere text-ink">
              <UserText>{title}</UserText>
            </Heading>
            {badges}
          </div>
          {tagline !== "" && (
            <p className="mt-0.5 wrap-anywhere text-ink-soft">
              <UserText>{tagline}</UserText>
            </p>
          )}
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-faint">
            <span>
              by{" "}
              {publisher.href === undefined ? (
                <UserText>{publisher.name}</UserText>
              ) : (
                <PageLink href={publisher.href} className="text-accent-text hover:underline">
                  <UserText>{publisher.name}</UserText>
                </PageLink>
              )}
            </span>
            <VerifiedDomains domains={publisher.domains} />
            <Badge>{CATEGORY_NAMES[category]}</Badge>
            {usesAll === true && <Badge tone="success">{USES_ALL}</Badge>}
          </p>
        </div>
      </div>
    </header>
  );
}

interface ListingLink {
  title: string;
  href: string;
  /** The address, or the host that it leads to in ASCII, so that none can pass for another. */
  leadsTo: string;
}

/** Those that lead somewhere: while a publisher types, one may not be a URL yet. Without a contact, its publisher's is shown. */
function listLinks({ links, terms = NO_TERMS }: Text, contact: string | undefined): ListingLink[] {
  return [
    ...toLink("Contact the publisher", links.support === "" ? (contact ?? "") : links.support),
    ...toLink("Privacy", links.privacy),
    ...toLink(`Terms, version ${terms.version}`, terms.version === "" ? "" : terms.url),
    ...toLink("Website", links.website),
  ];
}

function toLink(title: string, typed: string): ListingLink[] {
  const url = parseHttpsUrl(typed);
  if (url !== undefined) return [{ title, href: url.href, leadsTo: url.hostname }];
  const address = parseMailAddress(typed);
  return address === undefined ? [] : [{ title, href: mailTo(address), leadsTo: address }];
}

function ListingLinks({ links }: { links: readonly ListingLink[] }) {
  const style = "inline-flex items-center gap-1.5 text-accent-text hover:underline";
  return (
    <Card title="Links">
      <ul className="flex flex-col gap-3">
        {links.map(({ title, href, leadsTo }) => (
          <li key={title} className="min-w-0">
            {href.startsWith("mailto:") ? (
              <a href={href} className={style}>
                {title}
                <Mail aria-hidden className="size-3.5" />
              </a>
            ) : (
              <a href={href} rel="noopener noreferrer nofollow ugc" target="_blank" className={style}>
                {title}
                <ExternalLink aria-hidden className="size-3.5" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            )}
            <p translate="no" className="truncate text-small text-ink-faint">
              {leadsTo}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface PlainWordsProps {
  manifest: Manifest;
  enforcement: Enforcement | undefined;
  usesAll: boolean;
}

/** What customers agree to when they launch it. */
function InPlainWords({ manifest, enforcement, usesAll }: PlainWordsProps) {
  const { connects, asks, reads } = describeApp(manifest);
  const parts = [
    ["What it connects to", connects, "Nothing calls this app."],
    ["What it asks for", asks, "It has no settings."],
    ["What it reads from your products", reads, "It needs no fields from your products."],
  ] as const;
  return (
    <Card title="In plain words">
      <dl className="space-y-4">
        {parts.map(([title, lines, nothing]) => (
          <div key={title}>
            <dt className="text-small font-medium text-ink">{title}</dt>
            {(lines.length === 0 ? [nothing] : lines).map((line) => (
              <dd key={line} className="mt-1 wrap-anywhere text-ink-soft">
                <UserText>{line}</UserText>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <h3 className="mt-4 mb-2 text-small font-medium text-ink">What it may do</h3>
      <RightsList rights={viewRights(manifest)} enforcement={enforcement} />
      {usesAll && (
        <p className="mt-3 text-small leading-5 text-ink-soft">
          <span className="font-medium text-success">{USES_ALL}</span>:{" "}
          {manifest.core?.hosts?.length === 0
            ? "it declares no hosts."
            : "within the last 90 days, it connected to every host that it declares. Hosts that customers enter don't count."}
        </p>
      )}
    </Card>
  );
}

const ABOUT = [
  ["product", "The product"],
  ["offering", "The offering"],
  ["company", "The company"],
] as const;

const REQUIREMENTS = [
  ["technicalDetails", "Technical details"],
  ["launchInstructions", "Launch instructions"],
  ["complianceDetails", "Compliance details"],
] as const;

/** A listing's about and requirements, without the parts that the publisher left empty. */
function ListingText({ about, requirements }: Pick<Text, "about" | "requirements">) {
  const aboutParts = ABOUT.map(([name, title]) => ({ title, text: about[name] }));
  const requirementParts = REQUIREMENTS.map(([name, title]) => ({ title, text: requirements[name] }));
  return (
    <>
      <Parts title="About" parts={aboutParts} />
      <Parts title="Requirements" parts={requirementParts} />
    </>
  );
}

function Parts({ title, parts }: { title: string; parts: { title: string; text: string }[] }) {
  const filled = parts.filter(({ text }) => text.trim() !== "");
  if (filled.length === 0) return null;
  return (
    <Card title={title}>
      <div className="space-y-6">
        {filled.map((part) => (
          <section key={part.title}>
            <h3 className="mb-1 text-small font-medium text-ink">{part.title}</h3>
            <Markdown>{part.text}</Markdown>
          </section>
        ))}
      </div>
    </Card>
  );
}
