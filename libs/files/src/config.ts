import { readWebIdentity } from './web-identity.ts';

/** The workload identity of this pod, from environment variables; undefined without a role or a token file. */
export const ownIdentity = readWebIdentity(process.env);
