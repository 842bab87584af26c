import { randomUUID } from 'node:crypto';
import { connect, type Database, sql } from '@platform/postgres';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import { startWorld, type World } from '../orgs/world.ts';
import type { PlatformOptions } from '../platform.ts';

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

export interface ShownLicence {
  readonly contract: { id: string; startTimestamp: string; expiryTimestamp: string };
  /** Base64 of the PEM. */
  readonly license: string;
}

/** A running platform, with helpers for contracts. */
export interface ContractWorld extends World {
  /** The database of contracts-licensing. */
  readonly rows: Database;
  /** Makes a contract of the account, active for a day unless `given` has other times. */
  contract(uid: number, given?: object): Promise<ShownContract>;
  /** Makes such a contract and binds a new cluster to it; `cc` is the id of the binding. */
  bound(uid: number, given?: object): Promise<{ contract: ShownContract; cluster: string; cc: number }>;
  revoke(id: number): Promise<HttpAnswer>;
  /** Moves a contract into the past. */
  expire(id: number): Promise<unknown>;
  /** Pretends that the account has imported the cluster. */
  imported(ownerId: number, cluster: string): Promise<unknown>;
  /** Certificate of the authority that signs licences. */
  authority(): Promise<string>;
  /** Events of a contract, oldest first, as `addedBy event`. */
  events(id: number): Promise<string[]>;
}

export const day = 24 * 60 * 60;

/** Unix seconds from now. */
export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

export async function startContractWorld(options?: PlatformOptions): Promise<ContractWorld> {
  const world = await startWorld(options);
  const { url, schema } = world.platform.databases['contracts-licensing'];
  const rows = connect({ url, schema, applicationName: 'spec', maxConnections: 3 });
  const admin = world.siteAdmin.http;
  const contract = async (uid: number, given: object = {}) => {
    const json = { uid, name: 'Basic', products: ['platform'], end: inSeconds(day), ...given };
    return ok<ShownContract[]>(await admin.post('/api/v1/contracts', { json }), 201)[0]!;
  };
  return {
    ...world, rows, contract,
    bound: async (uid, given) => {
      const [cluster, made] = [randomUUID(), await contract(uid, given)];
      return { contract: made, cluster, cc: (await bind(admin, made.id, [{ cluster }]))[0]!.id };
    },
    revoke: async (id) => checked(await admin.post(`/api/v1/contracts/${id}/revoke`)),
    expire: (id) => rows.execute(sql`
      update contract set starts_at = now() - interval '2 days', ends_at = now() - interval '1 second'
       where id = ${id}`),
    imported: (ownerId, cluster) => rows.execute(sql`
      insert into imported_cluster (id, owner_id, uid, name, display_name, imported_at)
      select coalesce(max(id), 0) + 1, ${ownerId}, ${cluster}::uuid, 'lab', 'Lab', now() from imported_cluster`),
    authority: async () => (await rows.one(sql<{ certificate: string }>`
      select certificate from license_authority where signs`)).certificate,
    events: async (id) =>
      ok<{ addedBy: string; event: string }[]>(await admin.get(`/api/v1/contracts/${id}/audit`))
        .map(({ addedBy, event }) => `${addedBy} ${event}`).reverse(),
    [Symbol.asyncDispose]: async () => {
      await rows[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** A contract world with the organization `acme`, its people, and a stranger. */
export async function startAcme(options?: PlatformOptions) {
  const world = await startContractWorld(options);
  const person = () => world.person();
  const [owner, editor, viewer, stranger] = [await person(), await person(), await person(), await person()];
  const acme = await world.organization(owner, { username: 'acme' });
  await world.join(owner, acme.teams.Editors, editor);
  await world.join(owner, acme.teams.Viewers, viewer);
  return { world, admin: world.siteAdmin.http, owner, editor, viewer, stranger, acme };
}

/** An answer, after checking its status. */
export function checked(answer: HttpAnswer, status = 200): HttpAnswer {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer;
}

/** The body of an answer, after checking its status. */
export const ok = <Body>(answer: HttpAnswer, status = 200): Body => checked(answer, status).json<Body>();

/** Binds clusters to a contract. */
export const bind = async (http: HttpClient, id: number, clusters: readonly object[]): Promise<ShownCluster[]> =>
  ok(await http.post(`/api/v1/contracts/${id}/clusters`, { json: clusters }), 201);

/** All addresses of a contract, and its quota, as they are shown. */
export const emails = (given: Readonly<Record<string, readonly string[]>>) => ({
  contactPerson: [], signingAuthority: [], licenseUsers: [], financeTeam: [], usageAlertClient: [], usageAlertAdmin: [],
  ...given,
});
export const quota = (given: object) => ({
  enabled: false, metric: '', limit: 0, alertThresholds: [], disableLicenseOnLimitReached: false, ...given,
});

/** Events that the site admin has caused. */
export const byAdmin = (...events: string[]) => events.map((event) => `platform-admin ${event}`);

/** Asks for an online licence. */
export const issue = (http: HttpClient, json?: object, query = '?org=acme') =>
  http.post(`/api/v1/license/issue${query}`, json === undefined ? {} : { json });

/** The PEM of a licence. */
export const pemOf = ({ license }: Pick<ShownLicence, 'license'>) => Buffer.from(license, 'base64').toString();
