/** What needs attention of the apps that an organization publishes. */
import type { Attention } from "./attention";

export interface PublishingFacts {
  /** Own listings whose newest review was not approved. */
  returned: readonly {
    appName: string;
    title: string;
    number: string;
    state: "CHANGES_REQUESTED" | "REJECTED";
    note: string;
    decidedAt: Date;
  }[];
  /** Newest versions that were never submitted for review. */
  unsubmitted: readonly { appName: string; title: string; number: string; createdAt: Date }[];
  /** Own drafts of manifests that can't be released, or that differ from the newest version. */
  drafts: readonly {
    appName: string;
    title: string;
    /** 0 for a draft that can be released. */
    errors: number;
    /** The newest version; null before the first. */
    number: string | null;
    updatedAt: Date;
  }[];
  /** Public listings with changes of their text that were not submitted. */
  texts: readonly { appName: string; title: string; updatedAt: Date }[];
}

export function listPublishing(facts: PublishingFacts): Attention[] {
  return [
    ...facts.returned.map(describeReview),
    ...facts.drafts.map(describeDraft),
    ...facts.unsubmitted.map(describeVersion),
    ...facts.texts.map(describeText),
  ];
}

function describeReview(returned: PublishingFacts["returned"][number]): Attention {
  const { appName, title, number, state, note, decidedAt } = returned;
  const rejected = state === "REJECTED";
  return {
    tone: rejected ? "danger" : "warning",
    title,
    context: `Version ${number} ${rejected ? "rejected" : "returned for changes"}`,
    text: note,
    at: decidedAt,
    href: `/publish/${appName}`,
    action: "Open listing",
  };
}

function describeDraft(draft: PublishingFacts["drafts"][number]): Attention {
  const { appName, title, errors, number, updatedAt } = draft;
  const problems = errors === 1 ? "1 problem" : `${errors} problems`;
  return {
    tone: errors > 0 ? "warning" : "draft",
    title,
    context: "Manifest draft",
    text:
      errors > 0
        ? `It has ${problems} that must be fixed before a release.`
        : `It has changes since version ${number ?? ""} that haven't been released.`,
    at: updatedAt,
    href: `/publish/${appName}/manifest`,
    action: "Edit manifest",
  };
}

function describeVersion(version: PublishingFacts["unsubmitted"][number]): Attention {
  const { appName, title, number, createdAt } = version;
  return {
    tone: "draft",
    title,
    context: `Version ${number}`,
    text: "It hasn't been submitted for review, so only your organization can launch it.",
    at: createdAt,
    href: `/publish/${appName}`,
    action: "Open listing",
  };
}

function describeText({ appName, title, updatedAt }: PublishingFacts["texts"][number]): Attention {
  return {
    tone: "draft",
    title,
    context: "Listing text",
    text: "It has changes that haven't been submitted for review.",
    at: updatedAt,
    href: `/publish/${appName}/edit`,
    action: "Edit listing",
  };
}
