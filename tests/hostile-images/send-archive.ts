import { ACCEPTED } from "./case";

export interface Answer {
  status: number;
  body: string;
  tookMs: number;
}

/** Publishes the archive, as the command line does. */
export async function sendArchive(base: string, authorization: string, archive: Buffer): Promise<Answer> {
  const start = performance.now();
  const answer = await fetch(`${base}/publish/v1/apps/bench/bench/versions`, {
    method: "POST",
    headers: { authorization, "content-type": "application/x-tar" },
    body: new Uint8Array(archive),
  });
  return { status: answer.status, body: await answer.text(), tookMs: performance.now() - start };
}

/** @param expected a code, or `ACCEPTED` */
export function isExpected({ status, body }: Answer, expected: string): boolean {
  if (expected === ACCEPTED) return status === 200 || status === 201;
  return status === 400 && body.includes(`"code":"${expected}"`);
}
