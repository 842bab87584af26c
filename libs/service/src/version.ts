import { readFileSync } from 'node:fs';

const root: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** The platform's version as users see it: `v<year>.<month>.<count>`, from the root package.json (open-points 14). */
export const platformVersion: string = `v${(root as { version: string }).version}`;
