/** Work that follows a commit or repeats on a schedule. Each job is a row, and graphile-worker runs it. */
export { addJobs, type NewJob } from './add-jobs.ts';
export { readFailingJobs, readTaskStates, type TaskState } from './job-state.ts';
export { type Jobs, openJobs } from './open-jobs.ts';
export { runNow } from './schedules.ts';
export { setUpJobs } from './setup.ts';
export {
  defineTask, type JobContext, type JobHandler, type Schedule, type Task, type TaskHandler, type TaskOptions,
} from './task.ts';
