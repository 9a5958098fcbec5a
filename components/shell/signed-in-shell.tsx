import { AppShell, type AppShellProps } from "./app-shell";
import { Providers } from "./providers";

export interface SignedInShellProps extends AppShellProps {
  nonce: string | undefined;
}

/** The frame of signed-in pages, with what their forms and live parts need. */
export function SignedInShell({ nonce, ...shell }: SignedInShellProps) {
  return (
    <Providers nonce={nonce}>
      <AppShell {...shell} />
    </Providers>
  );
}
