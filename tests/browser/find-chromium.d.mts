export function findWholeChromium(): string | undefined;

export function launchOptions(chromium?: string): {
  executablePath: string | undefined;
  env: Record<string, string | undefined>;
  args: string[];
};
