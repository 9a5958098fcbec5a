/** The core's calls, one after the other in some lanes, for as long as something else goes on. */

export interface StreamedCall {
  startedAt: number;
  endedAt: number;
  status: number;
  /** What the app answered, as far as the echo app answers. */
  answer: EchoAnswer;
}

export interface EchoAnswer {
  release?: string;
  tenant?: string;
  channel?: string;
  secretDigest?: string;
  /** The configuration was the same at the call's beginning and at its end. */
  same?: boolean;
  tokenLength?: number;
  settings?: Record<string, string>;
  detail?: string;
}

export interface CallStream {
  /** How many were answered so far. */
  count: () => number;
  /** Lets those under way end, and gives all. */
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
