import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect } from "vitest";
import { mails } from "@/drizzle/schema/platform";
import { type LeaseLoop, runPool } from "@/lib/server/platform/lease-loop";
import { mailPool } from "@/lib/server/platform/notifications/mail-pool";
import { queueMail } from "@/lib/server/platform/notifications/notify";
import { renderMail } from "@/lib/server/platform/notifications/render-mail";
import type { Platform } from "@/lib/server/platform/platform";
import { one } from "../test-platform";
import { startSmtpServer, TEST_CERTIFICATE, type TestSmtpServer } from "./smtp-server";

export const FROM = "App Hosting <no-reply@platform.example>";

/** Emails of a platform, workers that send them, and mail servers, which end with the test. */
export function givenMails(base: Platform) {
  const servers: TestSmtpServer[] = [];
  const loops: LeaseLoop[] = [];
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.drain()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function givenServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(options);
    servers.push(server);
    return server;
  }

  const withSmtp = (url: string, changes: Partial<Platform["environment"]> = {}): Platform => ({
    ...base,
    environment: {
      ...base.environment,
      PLATFORM_SMTP_URL: url,
      PLATFORM_MAIL_FROM: FROM,
      PLATFORM_WEB_URL: "https://platform.example",
      ...changes,
    },
  });

  /** A worker that sends emails, and looks for new ones all the time. Tests have their own certificate authority. */
  function send(
    platform: Platform,
    tls: Parameters<typeof mailPool>[1] = { ca: TEST_CERTIFICATE },
  ): LeaseLoop {
    const pool = mailPool(platform, tls);
    if (pool === undefined) throw new Error("no mail server");
    const loop = runPool(platform, pool);
    loops.push(loop);
    loop.wake();
    return loop;
  }

  const queue = (to = "maya@harbor.example", keyring = base.keyring) =>
    base.db.transaction((tx) =>
      queueMail(tx, keyring, {
        to,
        ...renderMail({
          origin: "https://platform.example",
          subject: "Reset your password",
          paragraphs: ["Someone asked to reset the password of <b>Maya</b>."],
          action: { label: "Choose a password", href: "https://platform.example/reset?token=canary&x=1" },
          reason: "You get this mail because of your account.",
        }),
      }),
    );
  const rows = () => base.db.select().from(mails);
  const row = async () => one(await rows());

  return {
    givenServer,
    withSmtp,
    send,
    queue,
    rows,
    row,
    /** Makes retries due. */
    hurry: () => base.pool.query("update mails set due_at = now() where state = 'QUEUED'"),
    expectState: (state: string) => expect.poll(async () => (await row()).state).toBe(state),
    expectFailure: (text: string | RegExp) =>
      expect.poll(async () => (await row()).failure ?? "").toMatch(text),
  };
}
