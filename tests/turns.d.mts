export const TURN_COUNT: number;
export const currentTurn: number | undefined;
export function isDue(proof: string): boolean;
export function isShareDue(index: number, shares?: number): boolean;
export function listLaterFiles(): string[];
export function listDueFiles(): string[];
export function describeTurn(turn: number): string;
export function chooseTurn(): number;
