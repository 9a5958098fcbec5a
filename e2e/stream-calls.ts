/** A stream of calls from the core in several lanes, while something else happens. */

export interface StreamedCall {
  startedAt: number;
  endedAt: number;
  status: number;
  /** The response of the echo app. */
  answer: EchoAnswer;
}

export interface EchoAnswer {
  release?: string;
  tenant?: string;
  channel?: string;
  secretDigest?: string;
  /** Whether the configuration was the same at the start and at the end of the call. */
  same?: boolean;
  tokenLength?: number;
  settings?: Record<string, string>;
  detail?: string;
}

export interface CallStream {
  /** How many calls finished so far. */
  count: () => number;
  /** Waits for the calls in progress. Resolves with all calls. */
  end: () => Promise<StreamedCall[]>;
}

export function streamCalls(address: string, credential: string, payload: object, lanes = 4): CallStream {
  const calls: StreamedCall[] = [];
  let ended = false;
  const lane = async () => {
    while (!ended) calls.push(await callOnce(address, credential, payload));
  };
  const running = Array.from({ length: lanes }, lane);
  const end = async () => {
    ended = true;
    await Promise.all(running);
    return calls;
  };
  return { count: () => calls.length, end };
}

async function callOnce(address: string, credential: string, payload: object): Promise<StreamedCall> {
  const startedAt = Date.now();
  const response = await fetch(address, {
    method: "POST",
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  const answer: EchoAnswer = await response.json();
  return { startedAt, endedAt: Date.now(), status: response.status, answer };
}
