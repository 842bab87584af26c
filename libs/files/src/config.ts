import { readWebIdentity } from './web-identity.ts';

/** The workload identity of this process, from the variables that a cloud puts into its pod. */
export const ownIdentity = readWebIdentity(process.env);
