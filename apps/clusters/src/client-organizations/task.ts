import { defineTask } from '@platform/jobs';

/** The job that advances a client organization ({@link ./advance.ts}). */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
