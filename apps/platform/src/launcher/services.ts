import type { SettingKey } from '@platform/service';
import type { GeneratedSecret } from './secrets.ts';

/** One service of the platform, as the launcher runs it. */
export interface ServiceEntry {
  /** Its folder in `apps/`. */
  readonly name: string;
  /** Where other services find its addresses; undefined for one that no service calls. */
  readonly addresses?: SettingKey;
  /** What must be ready before it is started: steps of the start. */
  readonly after: readonly string[];
  /** It has a schema, and a role, of its own. */
  readonly schema?: boolean;
  /** It uses the bus. */
  readonly bus?: boolean;
  /** It speaks to the authorization engine. */
  readonly engine?: boolean;
  /** It serves people over HTTP instead of services over gRPC. */
  readonly http?: boolean;
  /** Secrets it is handed, beside the service credential and the operator credential, which all take. */
  readonly secrets: readonly GeneratedSecret[];
}

/**
 * All services, in the order of the table that `up` prints. Services find each other at ports planned beforehand, so
 * none waits for another: their calls do, until the other answers.
 */
export const services: readonly ServiceEntry[] = [
  { name: 'gateway', after: [], http: true, secrets: [] },
  {
    name: 'orgs-teams',
    addresses: 'services.orgsTeams',
    after: ['schemas', 'nats'],
    schema: true,
    bus: true,
    secrets: ['secrets.encryptionKeys', 'secrets.tokenKey', 'secrets.adminToken'],
  },
  { name: 'authz', addresses: 'services.authz', after: ['openfga'], engine: true, secrets: [] },
  {
    name: 'clusters',
    addresses: 'services.clusters',
    after: ['schemas'],
    schema: true,
    secrets: ['secrets.encryptionKeys'],
  },
  {
    name: 'contracts-licensing',
    addresses: 'services.contractsLicensing',
    after: ['schemas'],
    schema: true,
    secrets: ['secrets.encryptionKeys'],
  },
];
