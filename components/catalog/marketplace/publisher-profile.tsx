import { BadgeCheck, ExternalLink, Mail } from "lucide-react";
import { UserText } from "@/components/ui/values";
import type { OrganizationProfile } from "@/lib/contract/accounts/account";
import { mailTo, parseHttpsUrl } from "@/lib/contract/catalog/listing";

type Profile = Pick<OrganizationProfile, "description" | "website" | "supportAddress">;

/** Domains that the publisher has proven to own, in ASCII, so that none can pass for another. */
export function VerifiedDomains({ domains = [] }: { domains?: readonly string[] }) {
  return domains.map((domain) => (
    <span key={domain} className="inline-flex min-w-0 items-center gap-1.5 text-small text-success">
      <BadgeCheck aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Verified domain <span translate="no">{domain}</span>
      </span>
    </span>
  ));
}

/** What a publisher says about itself, and where to reach it. Links name their host in ASCII, so that none can pass for another. */
export function PublisherProfile({ profile }: { profile: Profile }) {
  const { description, supportAddress } = profile;
  const website = parseHttpsUrl(profile.website);
  if (description === "" && website === undefined && supportAddress === "") return null;
  return (
    <div className="mb-8 flex max-w-2xl flex-col gap-3">
      {description !== "" && (
        <p className="wrap-anywhere whitespace-pre-line text-ink-soft">
          <UserText>{description}</UserText>
        </p>
      )}
      {(website !== undefined || supportAddress !== "") && (
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {website !== undefined && (
            <li className="min-w-0">
              <a
                href={website.href}
                rel="noopener noreferrer nofollow ugc"
                target="_blank"
                className="inline-flex max-w-full items-center gap-1.5 rounded-sm text-accent-text hover:underline"
              >
                <ExternalLink aria-hidden className="size-3.5 shrink-0" />
                <span className="sr-only">Website: </span>
                <span className="truncate">{website.hostname}</span>
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            </li>
          )}
          {supportAddress !== "" && (
            <li className="min-w-0">
              <a
                href={mailTo(supportAddress)}
                className="inline-flex max-w-full items-center gap-1.5 rounded-sm text-accent-text hover:underline"
              >
                <Mail aria-hidden className="size-3.5 shrink-0" />
                <span className="sr-only">Support: </span>
                <span className="truncate">{supportAddress}</span>
              </a>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
