/** Stands in for next/headers: `vi.mock("next/headers", async () => (await import("@/tests/request-scope")).nextHeaders)`. */
export interface Sender {
  cookies: Map<string, string>;
  headers: Record<string, string>;
}

/** Who sent the request that is being handled. */
export const scope: { sender: Sender } = { sender: { cookies: new Map(), headers: {} } };

export const nextHeaders = {
  headers: async () => new Headers(scope.sender.headers),
  cookies: async () => {
    const { cookies } = scope.sender;
    return {
      get: (name: string) => {
        const value = cookies.get(name);
        return value === undefined ? undefined : { name, value };
      },
      set: (name: string, value: string) => void cookies.set(name, value),
    };
  },
};
