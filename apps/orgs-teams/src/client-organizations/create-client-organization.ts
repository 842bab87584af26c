import { randomBytes } from 'node:crypto';
import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import type {
  ClientOrganizationAdminServiceService, ClientSyncToken, CreateClientOrganizationRequest,
} from '@platform/proto/orgs/v1/client_organization';
import type { Handler } from '@platform/rpc';
import { Secret } from '@platform/service';
import {
  conflict, emailProblem, invalidValue, lengthProblem, slugProblem, uuidProblem, Violations,
} from '@platform/values';
import { toOrganization } from '../accounts/convert.ts';
import { findNamed } from '../accounts/batches.ts';
import { insertOrganization, type NewOrganization } from '../accounts/organizations.ts';
import { insertPerson, readPerson } from '../accounts/people.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import { sendInvitation } from '../invitations/send-invitation.ts';
import { insertInvitation } from '../invitations/store.ts';
import { checkOrganization } from '../organizations/organization-rules.ts';
import type { Parts } from '../parts.ts';
import { replaceSyncToken, type SyncCredentials } from '../tokens/sync-tokens.ts';
import { lock } from '../write/locks.ts';
import type { Work, WriteContext } from '../write/write.ts';

/**
 * Creates a client organization (open-points 4.1, 4.2). If the user `owner` does not exist yet, creates this user in
 * the same transaction.
 */
export function createClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.createClientOrganization> {
  const { config, database } = parts;
  return async (request, context) => {
    const create = creationOf(parts, request, context);
    const known = await findCreation(database, request.creation!);
    const id = known?.organizationId ?? await createFor(await findOwner(parts, request));
    const row = await readOrganization(database, id, context.deadline);
    if (row === undefined) throw conflict('the organization was created, but has been deleted since');
    return toOrganization(row, config.baseUrl);

    async function createFor(owner: number | undefined): Promise<number> {
      try {
        return await create(owner);
      } catch (error) {
        if (owner !== undefined || !(error instanceof Fault) || error.reason !== 'ALREADY_EXISTS') throw error;
        // A concurrent call may have created the owner.
        const made = await findOwner(parts, request);
        if (made === undefined) throw error;
        return await create(made);
      }
    }
  };
}

/**
 * Returns a function that creates the organization and returns its id. If its argument `owner` is undefined, the
 * function also creates the owner. If an earlier call with the same `creation` has created the organization, the
 * function only returns the id.
 */
function creationOf(parts: Parts, request: CreateClientOrganizationRequest, context: WriteContext) {
  const { config, sealer, write } = parts;
  const organization = newOrganization(request, config.runMode);
  return (owner: number | undefined): Promise<number> => {
    const locks = owner === undefined ? [] : [lock.account(owner)];
    return write(context, locks, async (work) => {
      const settled = await findCreation(work, request.creation!);
      if (settled?.organizationId === null) throw conflict('this creation was abandoned');
      if (settled !== undefined) return settled.organizationId;
      const userId = owner === undefined ? await insertOwner(work, request) : await usableOwner(work, owner);
      const { id, ownersTeamId } = await insertOrganization(work, organization, userId);
      if (await settleCreation(work, request.creation!, id) !== id) {
        throw conflict('another call has completed or abandoned this creation');
      }
      if (owner === undefined) {
        await insertInvitation(work, userId);
        work.effect(sendInvitation({ userId, organizationId: id }));
      }
      if (request.syncToken !== undefined) {
        await replaceSyncToken(work, sealer, { organizationId: id, userId: null }, credentials(request.syncToken));
      }
      const { name, visibility, orgType } = organization;
      work.audit({
        action: 'organization.create', object: `organization:${id}`, organizationId: id, subjectIds: [userId],
        details: { name, visibility, orgType, ownersTeamId },
      });
      work.settles(id);
      return id;
    });
  };
}

/** Returns the outcome of a creation. If the creation has no outcome yet, this call abandons it. */
export function settleClientOrganization(
  { config, database, write }: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.settleClientOrganization> {
  return async ({ creation }, context: WriteContext) => {
    const violations = new Violations();
    violations.note('creation', uuidProblem(creation!));
    violations.refuse();
    const id = await write(context, [], (work) => settleCreation(work, creation!, null));
    const row = id === null ? undefined : await readOrganization(database, id, context.deadline);
    return { organization: row && toOrganization(row, config.baseUrl) };
  };
}

/** Returns the outcome of a creation; undefined while it has none. */
function findCreation(
  queryable: Queryable, creation: string,
): Promise<{ readonly organizationId: number | null } | undefined> {
  return queryable.maybeOne(sql<{ organizationId: number | null }>`
    select organization_id as "organizationId" from client_organization_creation where id = ${creation}`);
}

/**
 * Stores the outcome of a creation. An outcome that is already stored stays.
 * @returns the stored outcome: the id of the organization, or null if the creation was abandoned
 */
async function settleCreation(
  queryable: Queryable, creation: string, organizationId: number | null,
): Promise<number | null> {
  const { settled } = await queryable.one(sql<{ settled: number | null }>`
    with noted as (
      insert into client_organization_creation (id, organization_id) values (${creation}, ${organizationId}::bigint)
      on conflict (id) do update set organization_id = client_organization_creation.organization_id
      returning organization_id
    )
    select organization_id as "settled" from noted`);
  return settled;
}

/** @throws Fault VALIDATION_FAILED */
function newOrganization(request: CreateClientOrganizationRequest, runMode: 'prod' | 'dev' | 'test'): NewOrganization {
  const { creation, name, fullName, description, website, location, managerEndpoint, owner, syncToken } = request;
  const violations = new Violations();
  violations.note('creation', uuidProblem(creation!));
  violations.note('name', slugProblem(name!));
  violations.note('owner', slugProblem(owner!));
  const texts = { ...request, managerManagementClusterEndPoint: managerEndpoint };
  const visibility = checkOrganization(violations, texts, runMode) ?? 'private';
  violations.note('syncToken.accessKeyId', lengthProblem(syncToken?.accessKeyId ?? '', { most: 255 }));
  violations.note('syncToken.secretAccessKey', lengthProblem(syncToken?.secretAccessKey ?? '', { most: 4_096 }));
  violations.refuse();
  return {
    name: name!, fullName, description, website, location, visibility, managerEndpoint,
    orgType: organizationTypes.client,
  };
}

/** Returns the id of the future owner; undefined if the user does not exist yet. @throws Fault INVALID_VALUE */
async function findOwner(
  { database }: Parts, { owner, email }: CreateClientOrganizationRequest,
): Promise<number | undefined> {
  const [known] = await findNamed(database, [owner!]);
  if (known !== undefined && known.kind !== 'person') throw unusable('userName', 'is not the name of a user');
  const problem = known === undefined ? emailProblem(email) : undefined;
  if (problem !== undefined) throw unusable('email', `${problem}, because the user does not exist yet`);
  return known?.id;
}

/** Inserts a user who may sign in. The user gets the first token through the invitation. */
async function insertOwner(work: Work, { owner, email }: CreateClientOrganizationRequest): Promise<number> {
  const { id } = await insertPerson(work, {
    name: owner!, email, fullName: '', isAdmin: false, active: true, prohibitLogin: false, mayCreateOrganization: true,
  });
  work.audit({ action: 'user.create', object: `user:${id}`, details: { name: owner! } });
  return id;
}

async function usableOwner(work: Work, id: number): Promise<number> {
  const person = await readPerson(work, id);
  if (person === undefined) throw conflict('the user was deleted in the meantime, try again');
  if (!person.active || person.prohibitLogin) throw unusable('userName', 'is the name of a user who may not sign in');
  return id;
}

function credentials({ accessKeyId, secretAccessKey }: ClientSyncToken): SyncCredentials {
  return {
    accessKeyId: accessKeyId === '' ? randomBytes(10).toString('hex') : accessKeyId,
    secretAccessKey: new Secret(secretAccessKey === '' ? randomBytes(20).toString('hex') : secretAccessKey),
  };
}

function unusable(field: 'userName' | 'email', message: string) {
  return invalidValue([{ path: `userPermission.${field}`, message }]);
}
