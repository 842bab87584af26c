export const root: string;
export function findNode(options?: { check?: boolean }): string | undefined;
export function missingNode(): string;
export function environmentFor(node: string): NodeJS.ProcessEnv;
export function runOnPinnedNode(file: string, programArguments: string[]): void;
