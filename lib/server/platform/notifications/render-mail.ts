/** The one template of all emails: plain text, and simple HTML without tables that follows the reader's theme. */
import { oneLine } from "@/lib/domain/platform/text";
import { type Keyring, unwrapOnce, wrapKey } from "../keyring";

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** All texts are plain: whatever users typed is escaped here. */
interface Mail {
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

/** Inline styles are what every email reader applies. The style sheet adds the dark theme where a reader supports it. */
const FONT =
  "font-family:Geist,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const STYLES = {
  page: `margin:0;padding:0;background:#f6f7f9;color:#14171c;${FONT};-webkit-text-size-adjust:100%`,
  column: "max-width:560px;margin:0 auto;padding:32px 16px",
  brand: "margin:0 0 16px;font-size:14px;line-height:20px;font-weight:600;color:#5f6672",
  card: "padding:24px;background:#ffffff;border:1px solid #e4e6ea;border-radius:12px;overflow-wrap:anywhere",
  heading: "margin:0;font-size:20px;line-height:28px;font-weight:600;color:#14171c",
  paragraph: "margin:12px 0 0;font-size:15px;line-height:24px;color:#454b56",
  actions: "margin:24px 0 0",
  button:
    "display:inline-block;padding:12px 20px;border-radius:8px;background:#3353d4;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none",
  footer: "margin:16px 0 0;font-size:13px;line-height:20px;color:#5f6672;overflow-wrap:anywhere",
  quiet: "color:#5f6672;text-decoration:underline",
} as const;

const MAIL_STYLE = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "@media (prefers-color-scheme:dark){",
  ".page{background:#0c0e11!important;color:#eff1f4!important}",
  ".card{background:#131619!important;border-color:#272c33!important}",
  ".strong{color:#eff1f4!important}",
  ".ink{color:#bcc3cd!important}",
  ".faint,.quiet{color:#969eaa!important}",
  ".button{background:#4463e4!important;color:#ffffff!important}",
  "}",
].join("");

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

export interface SealedMail {
  /** Base64url of iv ‖ tag ‖ ciphertext. */
  sealed: string;
  masterKeyId: string;
}

/** Opens only for the email with this id. A rotation of the master keys seals it again. */
export function sealMail({ current }: Keyring, id: string, content: MailContent): SealedMail {
  const { wrapped, masterKeyId } = wrapKey(current, "mail", id, Buffer.from(JSON.stringify(content), "utf8"));
  return { sealed: wrapped, masterKeyId };
}

/** Throws if the row was changed, or if the master key is missing. */
export function openMail(keyring: Keyring, id: string, { sealed, masterKeyId }: SealedMail): MailContent {
  const plain = unwrapOnce(keyring, "mail", id, { wrapped: sealed, masterKeyId });
  const { subject, text, html }: MailContent = JSON.parse(plain.toString("utf8"));
  return { subject, text, html };
}
