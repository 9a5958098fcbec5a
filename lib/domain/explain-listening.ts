/** Why an app that runs cannot be reached: most of them listen on another port, or only inside their container. */

export interface Listening {
  /** The port in the app's `PLATFORM_PORT`. */
  port: number;
  listeners: readonly { port: number; loopback: boolean }[];
}

export const LISTEN_RULE = "It must listen on 0.0.0.0 and on the port in PLATFORM_PORT.";

/** What is wrong and how to fix it; undefined if the app listens as it must. */
export function explainListening({ port, listeners }: Listening): string | undefined {
  if (listeners.length === 0) return `It doesn't listen on any port. ${LISTEN_RULE}`;
  const expected = listeners.filter((listener) => listener.port === port);
  if (expected.some(({ loopback }) => !loopback)) return undefined;
  if (expected.length > 0)
    return "It listens on 127.0.0.1, which nothing outside its container can reach. It must listen on 0.0.0.0.";
  const ports = [...new Set(listeners.map((listener) => listener.port))].sort((a, b) => a - b);
  const named = ports.length === 1 ? `port ${ports[0]}` : `the ports ${ports.join(", ")}`;
  return `It listens on ${named}, not on the port in PLATFORM_PORT, which is ${port}. ${LISTEN_RULE}`;
}
