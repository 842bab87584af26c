import { connect, type Database } from '@platform/postgres';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import type { PlatformOptions } from '../platform.ts';
import { startWorld, type World } from '../orgs/world.ts';

/** A contract in answers of the API, with the fields that the specs read. */
export interface ShownContract {
  readonly id: number;
  readonly uid: number;
  readonly product: string;
  readonly start: number;
  readonly end: number;
  readonly clusters: readonly ShownCluster[];
  readonly [field: string]: unknown;
}

export interface ShownCluster {
  readonly id: number;
  readonly contractId: number;
  readonly cluster: string;
  readonly displayName: string;
  readonly clusterStatus: { isImported: boolean; name: string; tags: string[]; associatedContractId: number };
  readonly duplicateContractFeatures: { contractId: number; product: string; features: string[] }[];
  readonly error: string;
}

/** A running platform, with helpers for contracts. */
export interface ContractWorld extends World {
  /** The database of contracts-licensing. */
  readonly rows: Database;
  /** Makes a contract of the account, active for a day unless `given` has other times. */
  contract(uid: number, given?: Readonly<Record<string, unknown>>): Promise<ShownContract>;
  /** Events of a contract, oldest first, as `addedBy event`. */
  events(id: number): Promise<string[]>;
}

export const day = 24 * 60 * 60;

/** Unix seconds from now. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

export async function startContractWorld(options?: PlatformOptions): Promise<ContractWorld> {
  const world = await startWorld(options);
  const { url, schema } = world.platform.databases['contracts-licensing'];
  const rows = connect({ url, schema, applicationName: 'spec', maxConnections: 3 });
  const admin = world.siteAdmin.http;
  return {
    ...world,
    rows,
    contract: async (uid, given = {}) => {
      const json = { uid, name: 'Basic', products: ['platform'], end: inSeconds(day), ...given };
      const [contract] = ok<ShownContract[]>(await admin.post('/api/v1/contracts', { json }), 201);
      return contract!;
    },
    events: async (id) =>
      ok<{ addedBy: string; event: string }[]>(await admin.get(`/api/v1/contracts/${id}/audit`))
        .map(({ addedBy, event }) => `${addedBy} ${event}`).reverse(),
    [Symbol.asyncDispose]: async () => {
      await rows[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The body of an answer, after checking its status. */
export function ok<Body>(answer: HttpAnswer, status = 200): Body {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer.json<Body>();
}

/** Binds clusters to a contract. */
export async function bind(
  http: HttpClient, id: number, clusters: readonly object[], base = '/api/v1/contracts',
): Promise<ShownCluster[]> {
  return ok(await http.post(`${base}/${id}/clusters`, { json: clusters }), 201);
}

