"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Label, RadioGroup } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/code-block";
import { ChoiceCard } from "@/components/ui/forms/choices";
import { TextArea } from "@/components/ui/forms/fields";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ListingVisibility, VisibilityInput } from "@/lib/contract/catalog/listing";

interface VisibilityCardProps {
  listing: { id: string; title: string; isPublic: boolean };
  visibility: ListingVisibility;
  /** The address that shows it by link, once there was one. */
  link: string | undefined;
  /** Those that see it if only named ones do. */
  organizations: readonly { slug: string; name: string }[];
}

const CHOICES = [
  ["EVERYONE", "Everyone", "It is in the marketplace and in searches, and search engines find it."],
  [
    "LINK",
    "By link",
    "Only people who have its secret link, and organizations that have it installed, see it. It doesn't appear in lists, searches, or previews.",
  ],
  [
    "NAMED",
    "Named organizations",
    "Only members of your organization and of the organizations that you name see it. Visitors who are not signed in don't.",
  ],
] as const satisfies readonly (readonly [ListingVisibility, string, string])[];

/** The slugs that somebody typed, one per line or with commas. */
export function splitSlugs(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((slug) => slug !== "");
}

/** The typed slugs are those of the organizations, in whatever order. */
export function hasSameSlugs(typed: string, organizations: readonly { slug: string }[]): boolean {
  const slugs = new Set(splitSlugs(typed));
  return slugs.size === organizations.length && organizations.every(({ slug }) => slugs.has(slug));
}

/** Who sees a listing while it is public. */
export function VisibilityCard({ listing, visibility, link, organizations }: VisibilityCardProps) {
  const [chosen, setChosen] = useState(visibility);
  const [typed, setTyped] = useState(organizations.map(({ slug }) => slug).join("\n"));
  const router = useRouter();
  const save = useMutation({
    mutationFn: (body: VisibilityInput) => callApi("PUT", `/api/listings/${listing.id}/visibility`, { body }),
    onSuccess: () => router.refresh(),
  });
  const isChanged = chosen !== visibility || (chosen === "NAMED" && !hasSameSlugs(typed, organizations));
  return (
    <Card
      title="Who sees this app"
      description={
        listing.isPublic
          ? "Changes apply immediately. Existing installations keep running and can still be configured and upgraded."
          : "This applies while the app is public."
      }
    >
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const named = splitSlugs(typed);
          save.mutate({ visibility: chosen, ...(chosen === "NAMED" ? { organizations: named } : {}) });
        }}
      >
        <RadioGroup
          value={chosen}
          onChange={(value) => setChosen(CHOICES.find(([each]) => each === value)?.[0] ?? chosen)}
          className="flex flex-col gap-2"
        >
          <Label className="sr-only">Who sees this app</Label>
          {CHOICES.map(([value, title, description]) => (
            <ChoiceCard key={value} value={value}>
              <span className="block font-medium text-ink">{title}</span>
              <span className="block text-small leading-5 text-ink-soft">{description}</span>
            </ChoiceCard>
          ))}
        </RadioGroup>
        {chosen === "NAMED" && (
          <TextArea
            label="Organizations"
            hint="The slug of each organization, one per line. Members find it on the Settings page of their organization. You can name up to 100."
            value={typed}
            onChange={setTyped}
            rows={4}
            mono
          />
        )}
        <ProblemNotice error={save.error} />
        <div className="flex items-center gap-3">
          <Button type="submit" isDisabled={!isChanged} isPending={save.isPending}>
            Save
          </Button>
          <span role="status" className="text-small text-ink-faint">
            {save.isSuccess && !isChanged ? "Saved" : ""}
          </span>
        </div>
      </form>
      {visibility === "LINK" && link !== undefined && <LinkPart listing={listing} link={link} />}
    </Card>
  );
}

/** The link, which whoever has it can pass on, and its replacement. */
function LinkPart({ listing: { id, title }, link }: Pick<VisibilityCardProps, "listing"> & { link: string }) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const renew = useMutation({
    mutationFn: () => callApi("POST", `/api/listings/${id}/link`),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <section
      aria-labelledby="listing-link"
      className="mt-6 flex max-w-2xl flex-col gap-3 border-t border-line pt-5"
    >
      <h3 id="listing-link" className="font-medium">
        Its link
      </h3>
      <p className="flex min-w-0 items-start gap-1">
        <code translate="no" className="min-w-0 font-mono text-small wrap-anywhere text-ink">
          {link}
        </code>
        <CopyButton text={link} label="Copy link" />
      </p>
      <p className="text-small leading-5 text-ink-soft">
        Everyone who has the link can see the app and launch it. Share it only with people who should have
        access.
      </p>
      <div>
        <Button onPress={() => setOpen(true)}>Make a new link</Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          renew.reset();
        }}
        title={`Make a new link for ${title}?`}
        confirmText="Make a new link"
        tone="primary"
        onConfirm={() => renew.mutate()}
        isPending={renew.isPending}
        error={renew.error}
      >
        The current link stops working immediately. Organizations that have the app installed still see its
        page, but need the new link to launch it again.
      </ConfirmDialog>
    </section>
  );
}
