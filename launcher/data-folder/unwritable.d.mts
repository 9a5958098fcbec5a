export function whyUnwritable(error: unknown, folder: string): string | undefined;
