import { defineTask } from '@platform/jobs';

/**
 * Advances the work of a client organization as far as possible ({@link ./advance.ts}). The job is repeated until the
 * work is done.
 */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
