import { memberLayout, notesOf, organizationImports, signAccount } from '@platform/bus';
import type { BusOperator } from './bus-operator.ts';
import type { BusAccountRow } from './store.ts';

/** Agents run in several replicas. */
const connectionsPerUser = 8;
/** Clocks differ: a revocation also covers credentials made a little later. */
const revokedBeyondSeconds = 86_400;
const revisionTag = 'revision:';
const namePrefix = 'organization-';

/**
 * What an organization's account may be on the bus: what its rows say, and nothing else. A revoked client
 * is in the list of revocations, and its signing key is gone: either keeps it out.
 */
export async function accountJwt(
  { operatorSeed, exporter, shards }: BusOperator,
  organizationId: number,
  { publicKey, revision, live, revoked }: BusAccountRow,
): Promise<string> {
  return await signAccount(operatorSeed, publicKey, {
    name: `${namePrefix}${organizationId}`,
    jetstream: false,
    imports: await organizationImports(exporter, publicKey, organizationId, shards),
    signingKeys: live,
    revocations: Object.fromEntries(revoked.map(({ publicKey: key, at }) => [key, at + revokedBeyondSeconds])),
    connections: connectionsPerUser * live.length,
    tags: [`${revisionTag}${revision}`],
  });
}

/** An account that servers are to delete. Some are not permitted to delete accounts, so it admits no client. */
export async function closedAccountJwt({ operatorSeed }: BusOperator, publicKey: string): Promise<string> {
  return await signAccount(operatorSeed, publicKey, { name: 'closed', jetstream: false, connections: 0 });
}

/** The revision of the rows that servers were told; undefined for a JWT of another origin. */
export function revisionOf(jwt: string): number | undefined {
  return notesOf(jwt).tags.map((tag) => numberAfter(revisionTag, tag)).find((revision) => revision !== undefined);
}

/** The organization whose account it is; undefined for an account of another operator's user. */
export function organizationOf({ exporter }: BusOperator, jwt: string): number | undefined {
  const { name, importsFrom } = notesOf(jwt);
  return importsFrom.includes(exporter.publicKey) ? numberAfter(namePrefix, name) : undefined;
}

function numberAfter(prefix: string, text: string): number | undefined {
  return text.startsWith(prefix) ? Number(text.slice(prefix.length)) : undefined;
}

/** Names everything but the rows that the JWT follows from. An account whose JWT another one made is sent again. */
export function accountLayout({ exporter, shards }: BusOperator): string {
  return `${memberLayout}/${shards}/${exporter.publicKey}`;
}
