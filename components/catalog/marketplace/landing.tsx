import { ArrowRight, PackageCheck, Rocket, ShieldCheck, SlidersHorizontal } from "lucide-react";
import type { ComponentProps } from "react";
import { LinkButton, TextLink } from "@/components/ui/links";
import { SearchForm } from "@/components/ui/search-form";
import { ListingCards } from "./listing-cards";
import { CategoryLinks } from "./marketplace-filters";

const STEPS = [
  {
    icon: PackageCheck,
    title: "Publish",
    text: "Package a container with one manifest. The command line turns your image into an immutable version.",
  },
  {
    icon: ShieldCheck,
    title: "Verify",
    text: "Moderators check the manifest and approve an image digest. Exactly that image runs.",
  },
  {
    icon: SlidersHorizontal,
    title: "Configure",
    text: "The manifest defines the form. Secrets are encrypted, and nobody can read them back.",
  },
  {
    icon: Rocket,
    title: "Launch",
    text: "One container serves many customers. Each call gives the app exactly one customer's state.",
  },
] as const;

const EXCHANGE = `POST /autofill
x-PLATFORM-key: psk_…

GET {state_api}/state/psk_…
{
  "settings":  { "region": "eu" },
  "mappings":  [{ "productName": "Personal Auto",
                  "fields": { "vin": "$.vehicle.vin" } }],
  "coreApiUrl": "https://api.core.example",
  "tenantHostName": "harbor.core.example",
  "token": "eyJ…"
}`;

/** The home page of visitors who are not signed in. */
export function Landing({ newest }: { newest: ComponentProps<typeof ListingCards>["listings"] }) {
  return (
    <>
      <section className="pt-4 pb-10 sm:pt-8">
        <h1 className="max-w-3xl text-4xl leading-tight font-semibold tracking-tight sm:text-5xl">
          Apps for your policy system, run for you
        </h1>
        <p className="mt-5 max-w-2xl text-lg leading-7 text-ink-soft">
          Verified apps that rate risks, fill in forms, and react to events. You configure and launch them;
          the platform runs the containers. You can try each of them with made-up data first.
        </p>
        {newest.length > 0 && (
          <div className="mt-8 flex flex-col gap-4">
            <SearchForm path="/marketplace" label="Search apps" value="" />
            <CategoryLinks />
          </div>
        )}
      </section>
      {newest.length > 0 && (
        <section aria-labelledby="newest" className="pb-12">
          <div className="mb-4 flex items-baseline justify-between gap-4">
            <h2 id="newest" className="text-lg font-semibold tracking-tight">
              Newest apps
            </h2>
            <TextLink href="/marketplace" standalone>
              Browse all apps
            </TextLink>
          </div>
          <ListingCards listings={newest} />
        </section>
      )}
      <section aria-labelledby="publish" className="border-t border-line pt-10">
        <div className="grid items-center gap-x-12 gap-y-8 lg:grid-cols-[1.1fr_1fr]">
          <div>
            <h2 id="publish" className="text-2xl font-semibold tracking-tight">
              Publish your own
            </h2>
            <p className="mt-3 max-w-xl leading-7 text-ink-soft">
              Publishers list apps, moderators verify them, customers configure and launch them. The platform
              runs the containers and gives each call the state it needs.
            </p>
            <div className="mt-6 flex flex-wrap gap-3">
              <LinkButton href="/sign-up" tone="primary">
                Create your organization
                <ArrowRight aria-hidden className="size-4" />
              </LinkButton>
              <LinkButton href="/docs">Read the docs</LinkButton>
            </div>
          </div>
          <figure className="min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-high">
            <figcaption className="border-b border-line px-4 py-2.5 text-xs text-ink-faint">
              What an app sees in one call
            </figcaption>
            <pre
              translate="no"
              tabIndex={0}
              aria-label="An example call"
              className="overflow-x-auto p-4 font-mono text-small leading-6 text-ink-soft -outline-offset-2"
            >
              {EXCHANGE}
            </pre>
          </figure>
        </div>
        <div className="mt-10 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {STEPS.map((step) => (
            <div key={step.title} className="bg-surface p-6">
              <step.icon aria-hidden className="size-5 text-accent-text" />
              <h3 className="mt-4 font-semibold">{step.title}</h3>
              <p className="mt-1 text-small leading-5 text-ink-soft">{step.text}</p>
            </div>
          ))}
        </div>
      </section>
    </>
  );
}
