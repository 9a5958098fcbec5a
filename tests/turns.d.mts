export const TURN_COUNT: number;
export function isDue(proof: string): boolean;
export function isShareDue(index: number): boolean;
export function listLaterFiles(): string[];
export function describeTurn(turn: number): string;
export function chooseTurn(): number;
