import { createTransport, type Transporter } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type { Environment } from "../platform/environment";

/** A server that hangs takes one of the pool's places for this long at most. */
const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

/**
 * A connection for each email, so that a server that restarts or changes costs one attempt.
 * @param tls for tests, whose server has a certificate of its own
 */
export function connectSmtp(
  { PLATFORM_SMTP_URL, PLATFORM_SMTP_PLAIN }: Environment,
  tls: SMTPTransport.Options["tls"] = {},
): Transporter<SMTPTransport.SentMessageInfo> {
  const url = new URL(PLATFORM_SMTP_URL);
  const secure = url.protocol === "smtps:";
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !PLATFORM_SMTP_PLAIN,
    auth:
      url.username === ""
        ? undefined
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    tls: { minVersion: "TLSv1.2", ...tls },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The address in `Name <address>`. */
export function readAddress(from: string): string {
  return /<([^>]+)>$/.exec(from)?.[1] ?? from;
}
