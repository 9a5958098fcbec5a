import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** For localhost, until 2126. It protects nothing: only tests trust it. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEXqnEnqMedycIXTPY96zCuExrKwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIwMDYxMloYDzIxMjYxMDI5
MjAwNjEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATamhB3MdtgcHnyOiGshO6xLbbRr7fMveeYcwkWQrgOaLxFk+XLDDs1
KXwGguTFmzzARBKeVNrcnA2piVHyM/Rlo28wbTAdBgNVHQ4EFgQUvdbkNwDA47Mp
ER0ZK0FXiJlMu6EwHwYDVR0jBBgwFoAUvdbkNwDA47MpER0ZK0FXiJlMu6EwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgaqFxFa+ucWjh2CvZkaDH47RcCE5wyoWeRaatYHnHFqMCIQD+
UqBXDjw6meRl8onceK+aNbWLmMvT8XQ48m6EgzxKvg==
-----END CERTIFICATE-----`;

const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgG13KpG08MMuwd4J6
vcGfxG4Q91L54X1KBg1+L+5uU7ChRANCAATamhB3MdtgcHnyOiGshO6xLbbRr7fM
veeYcwkWQrgOaLxFk+XLDDs1KXwGguTFmzzARBKeVNrcnA2piVHyM/Rl
-----END PRIVATE KEY-----`;

export interface ReceivedMail extends Email {
  raw: string;
  /** Who gets it, whatever its headers say. */
  recipients: string[];
  secure: boolean;
}

export interface TestSmtpServer {
  host: string;
  received: ReceivedMail[];
  close: () => Promise<void>;
}

/** A real SMTP server on a free port of this machine, which keeps what it receives. */
export async function startSmtpServer(options: SMTPServerOptions = {}, port = 0): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    key: TEST_KEY,
    cert: TEST_CERTIFICATE,
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        void PostalMime.parse(raw).then((mail) => {
          received.push({ ...mail, raw, recipients, secure: session.secure });
          callback();
        });
      });
    },
    ...options,
  });
  // A client that refuses the certificate ends the connection.
  server.on("error", () => undefined);
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${address.port}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
