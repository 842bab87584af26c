import { join } from 'node:path';

/** The repository's root. */
export const repositoryRoot = join(import.meta.dirname, '../../..');
