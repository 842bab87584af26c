import { defineTask } from '@platform/jobs';

/** The job that does all possible steps for a client organization ({@link ./advance.ts}), until no step is left. */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
