"use client";

import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "@/components/ui/forms/toggles";
import { UserText } from "@/components/ui/values";
import type { Terms } from "@/lib/contract/catalog/listing";
import { isSameTerms, TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";

interface Question {
  terms: Terms | undefined;
  /** The terms as they were when somebody accepted them; undefined until then, and as soon as the page shows other ones. */
  accepted: Terms | undefined;
  /** What is missing to go on. */
  issues: (typeof TERMS_NOT_ACCEPTED)[];
  answer: (isAccepted: boolean) => void;
}

/** Never answered in advance, and asked again when the terms change while the page is open. */
export function useTermsQuestion(terms: Terms | undefined): Question {
  const [read, setRead] = useState<Terms>();
  const isAccepted = terms !== undefined && read !== undefined && isSameTerms(terms, read);
  return {
    terms,
    accepted: isAccepted ? terms : undefined,
    issues: terms === undefined || isAccepted ? [] : [TERMS_NOT_ACCEPTED],
    answer: (isChecked) => setRead(isChecked ? terms : undefined),
  };
}

interface TermsQuestionProps {
  question: Question;
  /** Where no card around it has one. */
  heading?: string;
  error: string | undefined;
  onAnswer: () => void;
}

/** The link to the terms, and the box that accepts them. Nothing without terms. */
export function TermsQuestion({ question, heading, error, onAnswer }: TermsQuestionProps) {
  const { terms, accepted, answer } = question;
  if (terms === undefined) return null;
  return (
    <div data-pointer={TERMS_NOT_ACCEPTED.pointer} className="flex flex-col gap-2">
      {heading !== undefined && <h3 className="text-small font-medium text-ink">{heading}</h3>}
      <TermsLink terms={terms} />
      <Checkbox
        name="acceptedTerms"
        value={accepted !== undefined}
        onChange={(isChecked) => {
          answer(isChecked);
          onAnswer();
        }}
      >
        I accept version <UserText translate="no">{terms.version}</UserText> of the terms for my organization
      </Checkbox>
      {error !== undefined && <p className="text-small text-danger">{error}</p>}
    </div>
  );
}

/** In a new tab, because what was typed on this page could be lost. With the host that it leads to. */
export function TermsLink({ terms }: { terms: Terms }) {
  // It was checked when it was saved; the check's code is larger than this page.
  const url = URL.canParse(terms.url) ? new URL(terms.url) : undefined;
  if (url?.protocol !== "https:") return null;
  return (
    <p className="text-sm leading-6">
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="inline-flex items-center gap-1.5 text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"
      >
        Terms, version <span translate="no">{terms.version}</span>
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>{" "}
      <span translate="no" className="text-small wrap-anywhere text-ink-faint">
        {url.hostname}
      </span>
    </p>
  );
}
