import { memberLayout, notesOf, organizationImports, signAccount } from '@platform/bus';
import type { BusOperator } from './bus-operator.ts';
import type { BusAccountRow } from './store.ts';

/**
 * The connection limit of an account is this number times the number of its unrevoked users. The replicas of an agent
 * all use the credentials of one user.
 */
const connectionsPerUser = 8;
/** A revocation also covers credentials that were issued up to this many seconds later, because clocks differ. */
const revokedBeyondSeconds = 86_400;
const revisionTag = 'revision:';
const namePrefix = 'organization-';

/**
 * Creates the JWT of an organization's account at the bus. The JWT contains the signing keys of the unrevoked users,
 * and revocations of the users that were revoked last. The servers refuse a user whose signing key is not in the JWT.
 * The servers also refuse a user with a revocation.
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

/**
 * Creates a JWT that closes an account, so that no client can connect to it. The JWT is pushed before the account is
 * deleted, because some servers do not permit deletions.
 */
export async function closedAccountJwt({ operatorSeed }: BusOperator, publicKey: string): Promise<string> {
  return await signAccount(operatorSeed, publicKey, { name: 'closed', jetstream: false, connections: 0 });
}

/** Returns the revision of the rows from which a JWT was created; undefined if the JWT contains no revision. */
export function revisionOf(jwt: string): number | undefined {
  return notesOf(jwt).tags.map((tag) => numberAfter(revisionTag, tag)).find((revision) => revision !== undefined);
}

/**
 * Returns the id of the organization that owns a bus account. Undefined if the account is closed, or belongs to another
 * platform.
 * @param jwt the JWT of the bus account
 */
export function organizationOf({ exporter }: BusOperator, jwt: string): number | undefined {
  const { name, importsFrom } = notesOf(jwt);
  return importsFrom.includes(exporter.publicKey) ? numberAfter(namePrefix, name) : undefined;
}

function numberAfter(prefix: string, text: string): number | undefined {
  return text.startsWith(prefix) ? Number(text.slice(prefix.length)) : undefined;
}

/** Identifies the layout of the imports in the JWTs. When the layout changes, all accounts are pushed again. */
export function accountLayout({ exporter, shards }: BusOperator): string {
  return `${memberLayout}/${shards}/${exporter.publicKey}`;
}
