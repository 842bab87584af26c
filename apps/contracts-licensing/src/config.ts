import { listPicks } from '@platform/lists';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config as Picked, servicePicks } from '@platform/service';

/** The settings this service reads. */
export const picks = { ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...listPicks } as const;

export type Config = Picked<typeof picks>;
