import { readWebIdentity } from './web-identity.ts';

/** The workload identity of this process, from variables that a cloud sets in the pod; undefined without them. */
export const ownIdentity = readWebIdentity(process.env);
