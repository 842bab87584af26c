import { defineTask } from '@platform/jobs';

/** The job that does the next steps for a client organization: `advance` in `advance.ts`. */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
