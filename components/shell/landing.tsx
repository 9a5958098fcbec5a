import { ArrowRight, PackageCheck, Rocket, ShieldCheck, SlidersHorizontal } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { Brand } from "./brand";
import { ThemeSwitch } from "./theme-switch";

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
    text: "One container serves many customers. Each call gives the app the state of exactly one.",
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
export function Landing() {
  return (
    <div className="mx-auto max-w-6xl px-4 sm:px-8">
      <header className="flex h-16 items-center justify-between">
        <Brand />
        <div className="flex items-center gap-1">
          <ThemeSwitch />
          <LinkButton href="/sign-in" size="small">
            Sign in
          </LinkButton>
        </div>
      </header>
      <main>
        <section className="grid items-center gap-12 py-12 lg:grid-cols-[1.1fr_1fr] lg:py-24">
          <div>
            <h1 className="text-4xl leading-tight font-semibold tracking-tight sm:text-5xl">
              Apps for your policy system, run for you
            </h1>
            <p className="mt-5 max-w-xl text-lg leading-7 text-ink-soft">
              Publishers list apps, moderators verify them, customers configure and launch them. The platform
              runs the containers and gives each call the state it needs.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <LinkButton href="/sign-up" tone="primary">
                Create your organization
                <ArrowRight aria-hidden className="size-4" />
              </LinkButton>
              <LinkButton href="/sign-in">Sign in</LinkButton>
            </div>
          </div>
          <figure className="min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-high">
            <figcaption className="border-b border-line px-4 py-2.5 text-xs text-ink-faint">
              What an app sees in one call
            </figcaption>
            <pre
              tabIndex={0}
              aria-label="An example call"
              className="overflow-x-auto p-4 font-mono text-[13px] leading-6 text-ink-soft -outline-offset-2"
            >
              {EXCHANGE}
            </pre>
          </figure>
        </section>
        <section
          aria-label="How it works"
          className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-4"
        >
          {STEPS.map((step) => (
            <div key={step.title} className="bg-surface p-6">
              <step.icon aria-hidden className="size-5 text-accent-text" />
              <h2 className="mt-4 font-semibold">{step.title}</h2>
              <p className="mt-1 text-[13px] leading-5 text-ink-soft">{step.text}</p>
            </div>
          ))}
        </section>
      </main>
      <footer className="flex flex-wrap justify-between gap-x-8 gap-y-2 py-12 text-[13px] text-ink-faint">
        <p>Open source under the Apache License 2.0.</p>
        <nav aria-label="For developers" className="flex gap-6">
          <TextLink href="/docs/events">Event catalog</TextLink>
          <TextLink href="/openapi.json" prefetch={false}>
            OpenAPI
          </TextLink>
        </nav>
      </footer>
    </div>
  );
}
