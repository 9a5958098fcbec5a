export function launchOptions(): {
  executablePath: string | undefined;
  env: Record<string, string | undefined>;
  args: string[];
};
