export function checkArchitecture(root: string, sources: string[]): Promise<string[]>;
