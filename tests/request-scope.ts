/** Stands in for next/headers in all tests on the server: see vitest.config.ts. */
export interface Sender {
  cookies: Map<string, string>;
  headers: Record<string, string>;
}

/** Who sent the request that is being handled. */
export const scope: { sender: Sender } = { sender: { cookies: new Map(), headers: {} } };

export async function headers(): Promise<Headers> {
  return new Headers(scope.sender.headers);
}

export async function cookies() {
  const sent = scope.sender.cookies;
  return {
    get: (name: string) => {
      const value = sent.get(name);
      return value === undefined ? undefined : { name, value };
    },
    set: (name: string, value: string) => void sent.set(name, value),
  };
}
