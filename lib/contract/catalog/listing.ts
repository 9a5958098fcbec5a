import * as z from "zod";
import { isAddress, normalizeAddress } from "../accounts/account";
import { atMost } from "../platform/text";
import { neededText, shownText, slug, storableText } from "../platform/text-shapes";
import { CATEGORIES, COUNTRIES, DATA_KINDS, SCREENSHOTS, SUB_PROCESSORS } from "./listing-terms";

const MAXIMUM = 500;

/**
 * The URL, if a stranger may be sent there: https, with a host name and without a user name, which could pass for one
 * (`https://bank.example@evil.example`). Undefined for anything else. Its `hostname` is in ASCII, so that letters of another
 * alphabet that look alike show as `xn--…`.
 */
export function parseHttpsUrl(text: string): URL | undefined {
  // The parser would drop tabs and line breaks, and read a backslash as a slash.
  if (text.length > MAXIMUM || /[\s\\\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === "https:" && url.username === "" && url.password === "";
  return isPlain && HOST_NAME.test(url.hostname) ? url : undefined;
}

/** A name with a top-level domain that is not a number. This excludes IP addresses and hosts of private networks. */
const HOST_NAME = /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/;

const URL_NEEDED = "Enter a public URL that starts with https://, such as https://acme.example/support.";

const linkText = storableText.trim().max(MAXIMUM, atMost(MAXIMUM));

export const httpsUrl = linkText.refine((text) => parseHttpsUrl(text) !== undefined, sayLink(URL_NEEDED));

/** What is wrong with a link. A URL that only lacks TLS gets a sentence of its own, because it looks right. */
function sayLink(message: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      typeof input === "string" && /^http:\/\//i.test(input.trim())
        ? "This link is not secure. Use one that starts with https://."
        : message,
  };
}

/** The address as mail programs and readers get it, with its domain in ASCII. Undefined for anything else. */
export function parseMailAddress(text: string): string | undefined {
  return text.length <= MAXIMUM && isAddress(text) ? normalizeAddress(text) : undefined;
}

/** The link that writes to an address. */
export function mailTo(address: string): string {
  return `mailto:${encodeURIComponent(address).replace("%40", "@")}`;
}

/** Whether a link in a publisher's Markdown leads somewhere: to a public website or a mail program. */
export function isOpenLink(url: string): boolean {
  return parseHttpsUrl(url) !== undefined || /^mailto:[^\s?]+@[^\s?]+$/i.test(url);
}

/** Code isn't a link, whatever it contains. */
const CODE = /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|$(?![^]))|(`+)[^`](?:[^]*?[^`])?\2(?!`)/gm;
const LINKS = [
  /\]\(\s*<?([^)\s>]+)/g,
  /^ {0,3}\[(?!\^)[^\]]+\]:[ \t]*<?([^\s>]+)>?[ \t]*(?:["'(].*)?$/gm,
  /<([a-z][a-z0-9+.-]+:[^<>\s]*)>/gi,
];

/** The first link of a Markdown text that readers couldn't follow. */
export function findClosedLink(markdown: string): string | undefined {
  const text = markdown.replace(CODE, " ");
  return LINKS.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, url = ""]) => url)
    .find((url) => !isOpenLink(url));
}

/** What a picture is for, which decides its size. */
export const IMAGE_USES = ["icon", "screenshot"] as const;
export type ImageUse = (typeof IMAGE_USES)[number];

/** The SHA-256 of a stored picture, in hex. */
export const imageDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "This is not the digest of an uploaded picture.");

export const storedImage = z.object({ digest: imageDigest, width: z.int(), height: z.int() });
export type StoredImage = z.infer<typeof storedImage>;

export const LISTING_STATES = ["DRAFT", "PUBLIC", "SUSPENDED", "RETIRED"] as const;
export type ListingState = (typeof LISTING_STATES)[number];

/** Who sees a public listing: everyone, whoever has its link, or the organizations that its publisher names. */
export const LISTING_VISIBILITIES = ["EVERYONE", "LINK", "NAMED"] as const;
export type ListingVisibility = (typeof LISTING_VISIBILITIES)[number];

/** What a publisher names organizations for. */
export const NAMED_FOR = ["VIEW", "PILOT"] as const;
export type NamedFor = (typeof NAMED_FOR)[number];

export const REVIEW_STATES = ["PENDING", "APPROVED", "CHANGES_REQUESTED", "REJECTED", "WITHDRAWN"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const REVIEW_KINDS = ["VERSION", "TEXT"] as const;
/** What is reviewed: a version together with the listing's text, or only the text. */
export type ReviewKind = (typeof REVIEW_KINDS)[number];

const prose = shownText.max(10_000, atMost(10_000)).superRefine((text, context) => {
  const url = findClosedLink(text);
  if (url === undefined) return;
  const message = `The link to “${url.slice(0, 80)}” can't be shown. Links must be public and start with https:// or mailto:.`;
  context.addIssue({ code: "custom", message });
});
const link = linkText.refine((text) => text === "" || parseHttpsUrl(text) !== undefined, sayLink(URL_NEEDED));
/** Where customers reach the publisher. */
const contact = linkText.refine(
  (text) => text === "" || parseHttpsUrl(text) !== undefined || parseMailAddress(text) !== undefined,
  sayLink(
    "Enter an email address, or a public URL that starts with https://, such as https://acme.example/support.",
  ),
);

const TERMS_LABEL = 40;
const LABEL_NEEDED = "Use letters, digits, spaces, and . _ / - only, and start with a letter or a digit.";

/** The publisher's terms: what customers accept when they launch the app. Both are empty for an app without terms. */
const terms = z
  .strictObject({
    url: link,
    version: shownText
      .max(TERMS_LABEL, atMost(TERMS_LABEL))
      .regex(/^([\p{L}\p{N}][\p{L}\p{N} ._/-]*)?$/u, LABEL_NEEDED),
  })
  .superRefine(({ url, version }, context) => {
    if (url !== "" && version === "")
      context.addIssue({
        code: "custom",
        path: ["version"],
        message: "Name the version of the terms, such as 2026-11. Change it whenever the terms change.",
      });
    if (url === "" && version !== "")
      context.addIssue({ code: "custom", path: ["url"], message: "Enter the link to the terms." });
  });
export type Terms = z.infer<typeof terms>;

/** One line that readers compare: nothing in it is invisible, and nothing changes the direction of what follows. */
const plainLine = (characters: number) =>
  shownText
    .max(characters, atMost(characters))
    .refine(
      (text) => !/[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u.test(text),
      "Remove line breaks, invisible characters, and marks that change the direction of text.",
    );
const neededLine = (characters: number, message: string) => plainLine(characters).min(1, message);
const country = z
  .string()
  .refine((code) => COUNTRIES.includes(code), "Enter a country by its name or its ISO code, such as CH.");

/** What a publisher says about the data of its customers. Everybody reads it, and moderators review it. */
const privacyDeclaration = z
  .strictObject({
    data: z.array(z.enum(DATA_KINDS)).max(DATA_KINDS.length),
    /** What the kinds don't name, in the publisher's words. */
    otherData: plainLine(500),
    /** Outside the customer's core. Null until the publisher has answered. */
    storedOutside: z.boolean().nullable(),
    countries: z.array(country).max(COUNTRIES.length),
    subProcessors: z
      .array(
        z.strictObject({
          name: neededLine(120, "Enter the company's name."),
          purpose: neededLine(300, "Explain what it does with the data."),
          country,
        }),
      )
      .max(SUB_PROCESSORS, `Name at most ${SUB_PROCESSORS} sub-processors.`),
    /** A number of days, or words. */
    retention: plainLine(300),
    contact: contact.min(1, "Enter an email address or a link for questions about privacy."),
  })
  .superRefine(({ data, otherData, storedOutside, countries, retention }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (data.length === 0 && otherData === "")
      refuse("otherData", "Choose what the app accesses, or say it in your own words.");
    if (storedOutside === null)
      refuse("storedOutside", "Choose whether the app stores data outside the core.");
    if (storedOutside === true && countries.length === 0)
      refuse("countries", "Name the countries that the data is stored in.");
    if (storedOutside === true && retention === "")
      refuse("retention", "Enter how long the data is stored: a number of days, or in words.");
  });
export type PrivacyDeclaration = z.infer<typeof privacyDeclaration>;

/** The public text of an app. Prose is Markdown without raw HTML. */
export const listingText = z.strictObject({
  title: neededText(2, 80, "Enter a title of at least 2 characters."),
  tagline: shownText.max(120, atMost(120)),
  category: z.enum(CATEGORIES, "Choose a category."),
  about: z.strictObject({ product: prose, company: prose, offering: prose }),
  requirements: z.strictObject({
    technicalDetails: prose,
    launchInstructions: prose,
    complianceDetails: prose,
  }),
  links: z.strictObject({ support: contact, privacy: link, website: link }),
  /** Texts that were stored by earlier releases have none. */
  terms: terms.optional(),
  /** Null if the publisher has not declared anything. */
  privacy: privacyDeclaration.nullable().optional(),
  icon: imageDigest.nullable(),
  screenshots: z
    .array(z.strictObject({ image: imageDigest, caption: shownText.max(140, atMost(140)) }))
    .max(SCREENSHOTS, `Use at most ${SCREENSHOTS} screenshots.`),
});
export type ListingText = z.infer<typeof listingText>;

const { title, about, requirements, ...later } = listingText.shape;

/** A new listing. What is not given is empty. */
export const listingInput = z.strictObject({
  appName: slug,
  title,
  about: about.extend({ product: prose.min(1, "Describe what the app does.") }),
  requirements,
  ...z.strictObject(later).partial().shape,
});
export type ListingInput = z.infer<typeof listingInput>;

export const createdListing = z.object({ listingId: z.uuid(), appName: z.string() });

/** Markdown: what is new in a version. */
export const releaseNotes = prose;

/** A listing names at most so many organizations for one thing. */
export const MOST_NAMED = 100;

const namedOrganizations = z
  .array(slug)
  .max(MOST_NAMED, `Name at most ${MOST_NAMED} organizations. To reach more, show the app by link.`);

export const visibilityInput = z.strictObject({
  visibility: z.enum(LISTING_VISIBILITIES, "Choose who sees the app."),
  /** Slugs of the organizations that see it, if only named ones do. Those named before are kept where it is left out. */
  organizations: namedOrganizations.optional(),
});
export type VisibilityInput = z.infer<typeof visibilityInput>;

/** Slugs of the organizations that try versions before their review. */
export const pilotsInput = z.strictObject({ organizations: namedOrganizations });
export type PilotsInput = z.infer<typeof pilotsInput>;

export const submitReviewInput = z.strictObject({
  versionId: z.uuid(),
  /** Replaces the version's. */
  releaseNotes: releaseNotes.optional(),
  /** The publisher knows that a newer version is verified already. */
  older: z.boolean().default(false),
  /** For the moderator. */
  note: shownText.max(2000, atMost(2000)).default(""),
});
export type SubmitReviewInput = z.input<typeof submitReviewInput>;

export const DECISIONS = ["approve", "return", "reject"] as const;
export type Decision = (typeof DECISIONS)[number];

export const decisionInput = z
  .strictObject({
    decision: z.enum(DECISIONS, "Choose a decision."),
    note: shownText.max(4000, atMost(4000)).default(""),
    /** Approves although the automatic checks have not ended, as the moderator knows. */
    unchecked: z.boolean().optional(),
  })
  .refine((input) => input.decision !== "return" || input.note.length > 0, {
    path: ["note"],
    message: "Tell the publisher what to change.",
  })
  .refine((input) => input.decision !== "reject" || input.note.length > 0, {
    path: ["note"],
    message: "Tell the publisher why you reject it.",
  });
export type DecisionInput = z.infer<typeof decisionInput>;

export const submittedReview = z.object({ reviewId: z.uuid() });

// What the listing editor saves: a listing's text as typed, valid or not, with a revision.

/** Longer than what may be published, so that a text that is too long is saved and can be shortened later. */
const typedLine = storableText.max(2_000, atMost(2_000));
const typedProse = storableText.max(40_000, atMost(40_000));

/** The members of `ListingText`, without its rules. */
export const typedText = z.strictObject({
  title: typedLine,
  tagline: typedLine,
  category: z.enum(CATEGORIES),
  about: z.strictObject({ product: typedProse, company: typedProse, offering: typedProse }),
  requirements: z.strictObject({
    technicalDetails: typedProse,
    launchInstructions: typedProse,
    complianceDetails: typedProse,
  }),
  links: z.strictObject({ support: typedLine, privacy: typedLine, website: typedLine }),
  terms: z.strictObject({ url: typedLine, version: typedLine }).optional(),
  privacy: z
    .strictObject({
      data: z.array(z.enum(DATA_KINDS)).max(DATA_KINDS.length),
      otherData: typedLine,
      storedOutside: z.boolean().nullable(),
      countries: z.array(typedLine).max(COUNTRIES.length),
      subProcessors: z
        .array(z.strictObject({ name: typedLine, purpose: typedLine, country: typedLine }))
        .max(SUB_PROCESSORS, `Name at most ${SUB_PROCESSORS} sub-processors.`),
      retention: typedLine,
      contact: typedLine,
    })
    .nullable()
    .optional(),
  icon: imageDigest.nullable(),
  screenshots: z
    .array(z.strictObject({ image: imageDigest, caption: typedLine }))
    .max(SCREENSHOTS, `Use at most ${SCREENSHOTS} screenshots.`),
});

export const listingDraft = z.object({
  text: typedText,
  /** Increases by one with each save; 0 before the first. */
  revision: z.int().min(0),
  /** ISO 8601; null before the first save. */
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
});
export type ListingDraft = z.infer<typeof listingDraft>;

/** `revision`: the one the text was made from. 409 `STALE_REVISION` if another save came first. */
export const saveTextInput = z.strictObject({ text: typedText, revision: z.int().min(0).max(2_147_483_647) });
export type SaveTextInput = z.infer<typeof saveTextInput>;

export const savedText = listingDraft.omit({ text: true });
export type SavedText = z.infer<typeof savedText>;

/** Submits the draft's text at this revision. */
export const submitTextInput = z.strictObject({
  revision: z.int().min(1).max(2_147_483_647),
  note: shownText.max(4_000, atMost(4_000)).default(""),
});
export type SubmitTextInput = z.infer<typeof submitTextInput>;

export const releaseNotesInput = z.strictObject({ notes: releaseNotes });

/**
 * How many instances of each version of an app run, and up to how many the platform may run while a version is busy: null if it adds none.
 * The operator's limit is checked where it is known.
 */
export const replicasInput = z
  .object({
    replicas: z.int("Choose a whole number.").min(1, "An app has at least one instance."),
    mostReplicas: z.int("Choose a whole number.").nullable().default(null),
  })
  .refine(({ replicas, mostReplicas }) => mostReplicas === null || mostReplicas > replicas, {
    path: ["mostReplicas"],
    message: "Choose a number above the replicas of each version, or don't add any.",
  });
export type ReplicasInput = z.input<typeof replicasInput>;
