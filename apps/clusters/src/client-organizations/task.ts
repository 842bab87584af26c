import { defineTask } from '@platform/jobs';

/** Does all steps that are possible now ({@link ./advance.ts}). The job is repeated until no step is left. */
export const advanceClient = defineTask<{ readonly id: number }>('client-organization');
