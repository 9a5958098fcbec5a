/** The one template of all emails: plain text, and simple HTML without tables that follows the reader's theme. */
import { oneLine } from "@/lib/domain/one-line";
import { escapeHtml, MAIL_STYLE, STYLES } from "./mail-style";

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** All texts are plain: whatever users typed is escaped here. */
export interface Mail {
  /** Origin of the platform, `PLATFORM_WEB_URL`. */
  origin: string;
  subject: string;
  /** Each is one paragraph; line breaks within it are kept. */
  paragraphs: readonly string[];
  /** The one thing to do next. `href` is absolute. */
  action?: { label: string; href: string };
  /** Why the reader gets this email, in one sentence. */
  reason: string;
  /** A link below the reason. `href` is absolute. */
  footerLink?: { label: string; href: string };
}

const SUBJECT_LENGTH = 150;

export function renderMail(mail: Mail): MailContent {
  const subject = oneLine(mail.subject, SUBJECT_LENGTH);
  const paragraphs = mail.paragraphs.filter((paragraph) => paragraph.trim() !== "");
  return {
    subject,
    text: toText({ ...mail, subject, paragraphs }),
    html: toHtml({ ...mail, subject, paragraphs }),
  };
}

function toText({ origin, subject, paragraphs, action, reason, footerLink }: Mail): string {
  const blocks = [
    subject,
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}: ${action.href}`]),
    ["-- ", `App Hosting, ${origin}`, reason, footerLink && `${footerLink.label}: ${footerLink.href}`]
      .filter((line) => line !== undefined)
      .join("\n"),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function toHtml({ origin, subject, paragraphs, action, reason, footerLink }: Mail): string {
  const title = escapeHtml(subject);
  const link = (href: string, label: string, kind: "button" | "quiet") =>
    `<a class="${kind}" href="${escapeHtml(href)}" style="${STYLES[kind]}">${escapeHtml(label)}</a>`;
  const body = paragraphs.map(
    (paragraph) =>
      `<p class="ink" style="${STYLES.paragraph}">${escapeHtml(paragraph).replace(/\r?\n/g, "<br>")}</p>`,
  );
  return [
    `<!doctype html>`,
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<title>${title}</title><style>${MAIL_STYLE}</style></head>`,
    `<body class="page" style="${STYLES.page}"><div style="${STYLES.column}">`,
    `<p class="faint" style="${STYLES.brand}">App Hosting</p>`,
    `<div class="card" style="${STYLES.card}"><h1 class="strong" style="${STYLES.heading}">${title}</h1>`,
    ...body,
    ...(action === undefined
      ? []
      : [`<p style="${STYLES.actions}">${link(action.href, action.label, "button")}</p>`]),
    `</div><p class="faint" style="${STYLES.footer}">${escapeHtml(reason)}<br>`,
    ...(footerLink === undefined ? [] : [`${link(footerLink.href, footerLink.label, "quiet")} · `]),
    `${link(origin, new URL(origin).host, "quiet")}</p></div></body></html>`,
  ].join("\n");
}
