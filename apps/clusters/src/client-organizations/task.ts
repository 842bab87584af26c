import { defineTask } from '@platform/jobs';

/** Takes the work of a client organization as far as it goes now ({@link ./advance.ts}). Repeated until it is done. */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
