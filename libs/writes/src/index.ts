/**
 * The write path of the services. One transaction takes locks in a fixed order, confirms the caller's admission and
 * makes the change. The transaction also stores audit entries and jobs (authorization.md W1, W2, R6).
 */
export { type AdmissionCheck, type Confirmation, remoteAdmission } from './admission-check.ts';
export { type Actor, type AuditNote, insertAudit } from './audit.ts';
export { createKeptAnswers } from './kept/kept-answers.ts';
export { forLastStep, repeatedRequest } from './kept/steps.ts';
export { sealedAnswers } from './kept/store.ts';
export { createLocks, type Lock, type LockedTable, type LockMode, type Locks, ownerLocks } from './locks.ts';
export { reportLostKeys } from './lost-keys.ts';
export { reseal, resealAll, type Resealed, type ResealedBatch, type SealedTable } from './reseal.ts';
export { applyRetention, deleteOldAnswers, deleteOldAudit } from './retention.ts';
export { createWrite, whenCommitted, type Work, type Write, type WriteContext, type WriteOptions } from './write.ts';
