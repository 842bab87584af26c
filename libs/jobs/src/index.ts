/** Work that runs after a commit or again and again: stored in rows, delivered by graphile-worker. */
export { addJobs, type NewJob } from './add-jobs.ts';
