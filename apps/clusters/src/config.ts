import { listPicks } from '@platform/lists';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config, servicePicks } from '@platform/service';

/** The settings of the platform that this service reads. */
export const picks = {
  ...servicePicks,
  ...postgresPicks,
  ...rpcPicks,
  ...guardPicks,
  ...listPicks,
  encryptionKeys: 'secrets.encryptionKeys',
  labelsDomain: 'labels.domain',
  contractsLicensing: 'services.contractsLicensing',
} as const;

export type ClustersConfig = Config<typeof picks>;
