import { Fault, notFound, unavailable } from '@platform/faults';
import { type AdminServiceService, type ExplainResponse, Verdict } from '@platform/proto/orgs/v1/admin';
import type { Principal } from '@platform/proto/orgs/v1/identity';
import { sql } from '@platform/postgres';
import {
  checkableRelations, objectClassOf, type ObjectClass, type ObjectType, siteObject, siteRelations,
} from '@platform/relations';
import { classOfObject, type Handler, type ObjectOwner, type OutgoingContext } from '@platform/rpc';
import { remaining } from '@platform/service';
import { invalidValue, slugKey } from '@platform/values';
import type { Parts } from '../parts.ts';
import { reportLostStore } from '../projection/lost-store.ts';
import { settle } from '../projection/settle-or-fail.ts';
import { type ExplainedStandingRow, readExplainedStanding } from './explained-standing.ts';
import { groundsByRows, pathsOf, requirementsOf, type WhyPrincipal } from './why.ts';

interface Account {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly signsIn: boolean;
}

interface ExplainedObject {
  readonly type: ObjectType;
  /** Undefined for the site. */
  readonly owner: ObjectOwner | undefined;
}

/**
 * `platform admin explain`: returns whether an account holds a relation on an object, and why. Decides as the guard
 * does, but without the guard's cache of decisions.
 */
export function explain(parts: Parts): Handler<typeof AdminServiceService.explain> {
  return async ({ user = '', relation = '', object = '' }, context) =>
    explainDecision(parts, { user, relation, object }, context);
}

interface Question {
  readonly user: string;
  readonly relation: string;
  /** The object, as `type:id`, or `site:main`. */
  readonly object: string;
  /** The account that must own the object. Undefined for the operator, who may ask about all objects. */
  readonly ownerId?: number;
}

/** @throws Fault NOT_FOUND, INVALID_OBJECT_TYPE, INVALID_VALUE, UNAVAILABLE */
export async function explainDecision(
  parts: Parts, { user, relation, object, ownerId }: Question, context: OutgoingContext,
): Promise<ExplainResponse> {
  const account = await findAccount(parts, user, ownerId === undefined, context);
  const explained = await findObject(parts, object, context);
  const { owner, type } = explained;
  if (ownerId !== undefined && owner?.ownerId !== ownerId) throw notFound(`there is no ${object}`);
  if (owner === undefined) return explainSite(account, relation);
  const standing = await readStanding(parts, account, owner.ownerId, context);
  if (standing.owner.kind === 'person') return explainOwned(account, explained, relation, standing);
  const classOf = classOfObject(type, owner, standing.administrative);
  if (classOf === undefined) throw notFound(`there is no ${object}`);
  refuseUnknown(classOf(nobody), relation);
  // For a team, use the class for the team's own members. Only with this class can the requirements include membership
  // of the team.
  const requirements = requirementsOf(classOf({ ...nobody, teamId: owner.teamId ?? 0 }), relation);
  const base = { ...unsaid(account), owner: ownerOf(standing), requirements };
  if (account.isAdmin) return { ...base, allowed: true, verdict: Verdict.VERDICT_SITE_ADMIN };
  if (standing.principals.length === 0) return { ...base, verdict: Verdict.VERDICT_NOT_A_MEMBER };
  const { principals, administrative } = await askEngine(parts, account, standing, classOf, context);
  const paths = principals.flatMap((principal) => pathsOf(principal, relation));
  return {
    ...base,
    allowed: paths.length > 0,
    verdict: paths.length > 0 ? Verdict.VERDICT_GRANTED
      : requirements.length === 0 ? Verdict.VERDICT_SITE_ADMINS_ONLY : Verdict.VERDICT_NOT_GRANTED,
    paths,
    principals: principals.map(({ team, roles }) => ({
      team: team && { id: team.id, name: team.name },
      right: team?.permission ?? '',
      roles: roles.map(({ id, name }) => ({ id, name, namespace: '', action: '' })),
    })),
    engineAgrees: principals.every((principal) => {
      const expected = groundsByRows(principal, administrative);
      return expected.size === principal.grounds.size && expected.isSubsetOf(principal.grounds);
    }),
  };
}

const nobody: Principal = { user: '', revision: '', pending: false, teamId: 0, isOwners: false };

function unsaid({ signsIn }: Account): ExplainResponse {
  return {
    allowed: false, verdict: Verdict.VERDICT_NOT_GRANTED, owner: undefined, paths: [], requirements: [], principals: [],
    signsIn, engineAgrees: true,
  };
}

function ownerOf({ owner }: ExplainedStandingRow): ExplainResponse['owner'] {
  return { id: owner.id, name: owner.name, kind: owner.kind === 'person' ? 'user' : 'organization' };
}

function explainSite(account: Account, relation: string): ExplainResponse {
  refuseUnless(siteRelations, relation, 'site');
  const verdict = account.isAdmin ? Verdict.VERDICT_SITE_ADMIN : Verdict.VERDICT_SITE_ADMINS_ONLY;
  return { ...unsaid(account), allowed: account.isAdmin, verdict };
}

/**
 * Explains the decision on an object that a user owns. The owner and site admins hold all relations on the object.
 * Other accounts hold none.
 */
function explainOwned(
  account: Account, { type, owner }: ExplainedObject, relation: string, standing: ExplainedStandingRow,
): ExplainResponse {
  const objectClass = objectClassOf(type, 'user');
  if (objectClass === undefined) throw notFound(`users own no ${type}`);
  refuseUnknown(objectClass, relation);
  const own = owner!.ownerId === account.id;
  const verdict = account.isAdmin ? Verdict.VERDICT_SITE_ADMIN
    : own ? Verdict.VERDICT_OWN : Verdict.VERDICT_NOT_THE_OWNER;
  return { ...unsaid(account), owner: ownerOf(standing), allowed: own || account.isAdmin, verdict };
}

function refuseUnknown(objectClass: ObjectClass, relation: string): void {
  refuseUnless(checkableRelations(objectClass), relation, objectClass);
}

function refuseUnless(known: readonly string[], relation: string, what: string): void {
  if (known.includes(relation)) return;
  throw invalidValue([{ path: 'relation', message: `must be a relation of ${what}: ${known.join(', ')}` }]);
}

/**
 * Finds the account that the question names. Only the operator may ask about hidden system admins (open-points 1.10).
 * @param withSystem whether to find system admins, too
 */
async function findAccount(
  { database }: Parts, name: string, withSystem: boolean, { deadline }: OutgoingContext,
): Promise<Account> {
  const shown = withSystem ? sql`kind <> 'organization'` : sql`kind = 'person'`;
  // `slugKey` also accepts the names of system admins, because these names look like slugs.
  const found = await database.maybeOne(sql<Account>`
    select id, is_admin as "isAdmin", active and not prohibit_login as "signsIn"
      from account where lower(name collate "C") = ${slugKey(name) ?? null} and ${shown}`, { deadline });
  if (found === undefined) throw notFound(`there is no user ${name}`);
  return found;
}

const objectForm = /^(?<type>[a-z_]+):(?<id>[1-9]\d{0,15})$/;

async function findObject({ objects }: Parts, object: string, call: OutgoingContext): Promise<ExplainedObject> {
  if (object === siteObject) return { type: 'site', owner: undefined };
  const { type, id: digits } = objectForm.exec(object)?.groups ?? {};
  const id = Number(digits);
  if (type === undefined || !Number.isSafeInteger(id)) {
    throw invalidValue([{ path: 'object', message: 'must be a type and an id, such as cluster:12, or site:main' }]);
  }
  if (type === 'organization' || type === 'user') return { type, owner: { ownerId: id } };
  const source = objects[type];
  if (source === undefined) {
    const known = ['organization', 'user', ...Object.keys(objects)].join(', ');
    throw new Fault('INVALID_OBJECT_TYPE', `there are no objects of type ${type}; the types are ${known}`);
  }
  const owner = await source({ keys: [id], accountId: undefined }, call);
  if (owner === undefined) throw notFound(`there is no ${object}`);
  return { type: type as ObjectType, owner };
}

async function readStanding(
  { database }: Parts, account: Account, ownerId: number, { deadline }: OutgoingContext,
): Promise<ExplainedStandingRow> {
  const standing = await readExplainedStanding(database, account.id, ownerId, deadline);
  if (standing === undefined) throw notFound(`there is no account ${ownerId}`);
  return standing;
}

/**
 * Asks the engine for the grounds of each principal (authorization.md R5). If a pending change affects a principal,
 * writes the pending changes of the organization to the engine first. Asks again if the principals have changed
 * meanwhile.
 * @throws Fault NOT_FOUND, UNAVAILABLE
 */
async function askEngine(
  parts: Parts, account: Account, first: ExplainedStandingRow, classOf: (principal: Principal) => ObjectClass,
  call: OutgoingContext,
): Promise<{ principals: WhyPrincipal[]; administrative: boolean }> {
  const organizationId = first.owner.id;
  for (let standing = first; remaining(call.deadline) > 50;) {
    if (standing.principals.some(({ pending }) => pending)) await settle(parts)({ organizationId }, call);
    const answers = await Promise.all(
      standing.principals.map(({ user }) => parts.ask({ principal: user, organizationId }, call)),
    );
    if (answers.some(({ fence }) => fence === '')) await reportLostStore(parts)({ organizationId }, call);
    const now = await readStanding(parts, account, organizationId, call);
    if (sameState(standing, now)) {
      const principals = standing.principals.map((principal, index) => {
        const team = standing.teams.find(({ id }) => id === principal.teamId);
        const grounds = new Set(answers[index]!.grounds);
        return { team, roles: team?.roles ?? [], grounds, objectClass: classOf(principal) };
      });
      return { principals, administrative: standing.administrative };
    }
    standing = now;
  }
  throw unavailable('authorization');
}

/** Whether the principals and their revisions are unchanged, and no pending change affects a principal. */
function sameState(before: ExplainedStandingRow, now: ExplainedStandingRow): boolean {
  const revisions = ({ principals }: ExplainedStandingRow) => principals.map(({ user, revision }) => `${user} ${revision}`);
  return !now.principals.some(({ pending }) => pending) && revisions(before).join() === revisions(now).join();
}
