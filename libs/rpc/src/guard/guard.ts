import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { ObjectClass } from '@platform/relations';
import { type Metrics, remaining, type Secret } from '@platform/service';
import {
  type AccessRule, type AccountRight, type Action, type Check, type Deployment, isRegistered, type Method,
} from '@platform/surface';
import {
  type Admission, AdmissionChanged, type CallContext, type IncomingCall, type OutgoingContext,
} from '../call-context.ts';
import { isPlausibleToken, noService, serviceCheck, type ShownCredentials, tokenRequired } from '../credential.ts';
import { Fault, notFound, unavailable } from '../faults/fault.ts';
import { unknownAction } from '../faults/parameter-faults.ts';
import { type ClassOf, classOfObject } from './class-of-object.ts';
import { createGuardMetrics, type GuardMetrics } from './guard-metrics.ts';
import type { GuardSources } from './guard-sources.ts';
import { createRelationsHeld, type Relations, type RelationsHeld } from './relations-held.ts';
import { resolve, type Resolved } from './resolve.ts';

/** What the guard found out about a call it lets in. */
export interface Admitted {
  readonly caller: Caller | undefined;
  readonly organization: OrganizationStanding | undefined;
  readonly admission: Admission;
}

/** The one interceptor in front of every method, for REST and direct callers alike (open-points 1.5, steps 1 to 5). */
export interface Guard {
  /** Whether this is the credential of a service of ours, or of the operator. */
  isService(call: ShownCredentials): boolean;
  /** Throws when this process cannot guard the method: at start, never at a call. */
  prepare(method: Method): void;
  /** @throws Fault when the caller may not call */
  admit(method: Method, request: Readonly<Record<string, unknown>>, call: IncomingCall): Promise<Admitted>;
  /**
   * What a caller holds on the objects of a class in an organization, for a handler that decides about more than its
   * access rule says. `'all'` for a site admin.
   */
  relations(
    context: OutgoingContext & { caller: Caller | undefined },
    organization: OrganizationStanding,
    classOf: ClassOf | ObjectClass,
  ): Promise<Relations | 'all'>;
  /**
   * What a caller holds in the acting organization by the very rows his call was admitted on, for a write that gives
   * rights: what he was given while the engine was asked does not count, since the write path would not confirm it.
   * `'all'` for a site admin.
   * @throws AdmissionChanged when those rows have moved meanwhile
   */
  relationsAsAdmitted(context: CallContext, objectClass: ObjectClass): Promise<Relations | 'all'>;
  /**
   * Reads the rows of an admission again, for a write that comes longer after the decision than authorization.md R6
   * allows. Returns when they were read.
   * @throws AdmissionChanged when they have moved since, Fault UNAUTHENTICATED when the token is not valid any more
   */
  renew(context: OutgoingContext & { readonly admission: Admission }): Promise<number>;
}

export interface GuardOptions {
  /** Which methods exist here. */
  deployment: Deployment;
  /** Credentials that let a service or the operator call internal methods. */
  serviceCredentials: readonly Secret[];
  /** Memory for kept decisions; 32 MiB when left out. */
  decisionBytes?: number;
  metrics?: Metrics;
}

/** Nothing is done by a standing older than this (authorization.md R6). */
const oldestStandingMs = 1_000;

const nobody: Admission = {
  tokenId: 0, callerId: 0, isAdmin: false, organizationId: 0, right: undefined, principals: [], readAt: 0,
};

export function createGuard(sources: GuardSources, options: GuardOptions): Guard {
  const counts = createGuardMetrics(options.metrics);
  const held = createRelationsHeld(sources, options.decisionBytes ?? 32 * 1024 * 1024, counts);
  const isService = serviceCheck(options.serviceCredentials);

  return {
    isService,
    prepare: ({ access, fullName }) => {
      const types = [access.check?.type, access.organization?.from === 'object' ? access.organization.type : undefined];
      for (const type of types) {
        if (type && type !== 'site' && type !== 'organization' && !sources.objects[type]) {
          throw new Error(`${fullName} checks a ${type}, whose owners this process cannot tell`);
        }
        if (type && type !== 'site' && !classOfObject(type, undefined, false)) {
          throw new Error(`${fullName} checks a ${type}, which no organization has`);
        }
      }
    },
    admit: async ({ access, rest, fullName }, request, call) => {
      if (!isRegistered(rest.gate, options.deployment)) throw notFound();
      if (access.who === 'internal') {
        if (!isService(call)) throw noService(fullName, call);
        if (call.parameterFault) throw call.parameterFault;
        return { caller: undefined, organization: undefined, admission: nobody };
      }
      if (access.who === 'anonymous') {
        if (call.parameterFault) throw call.parameterFault;
        return { caller: undefined, organization: undefined, admission: nobody };
      }
      refuseBadToken(access, call.token);
      const parameterFault = call.parameterFault ?? unknownAction(access, request);
      if (parameterFault) {
        // A bad token is refused before a bad parameter.
        const countsRequest = !call.isRepeat;
        await sources.standing({ token: call.token ?? '', slugs: [], organizationIds: [], countsRequest }, call);
        throw parameterFault;
      }
      for (let isFirst = !call.isRepeat; ; isFirst = false) {
        const resolved = await resolve(sources, access, request, call, isFirst);
        const at = performance.now();
        const organization = await enforce({ sources, held, counts, access, request, call, ...resolved });
        const { caller } = resolved;
        if (performance.now() - at <= oldestStandingMs) {
          return { caller, organization, admission: admissionOf(access.right?.number, caller, organization, at) };
        }
        // R6: something was slow. What it found is kept, so deciding anew is quick.
        if (remaining(call.deadline) < 50) throw unavailable('authorization');
        counts.repeated('standing old');
      }
    },
    relations: async (context, organization, classOf) => {
      if (context.caller?.isAdmin) return 'all';
      if (organization.principals.length === 0) return new Set();
      const seen = typeof classOf === 'function' ? classOf : () => classOf;
      return (await held.all(organization, seen, { ...context, callerId: context.caller?.id ?? 0 })).relations;
    },
    relationsAsAdmitted: async (context, objectClass) => {
      const { caller, organization, admission, method } = context;
      if (caller?.isAdmin) return 'all';
      if (organization === undefined || organization.principals.length === 0) return new Set();
      const asking = { ...context, callerId: caller?.id ?? 0 };
      const { relations, standing } = await held.all(organization, () => objectClass, asking);
      const now = admissionOf(method.access.right?.number, caller, standing, admission.readAt);
      if (!sameRows(now, admission)) throw new AdmissionChanged();
      return relations;
    },
    renew: async (context) => {
      const { token = '', admission } = context;
      const { organizationId, right } = admission;
      const organizationIds = organizationId === 0 ? [] : [organizationId];
      const asked = { token, slugs: [], organizationIds, ...(right === undefined ? {} : { right }) };
      const { caller, organizations } = await sources.standing(asked, context);
      const readAt = performance.now();
      const organization = organizations.find(({ id }) => id === organizationId);
      const now = admissionOf(right, caller, organization, readAt);
      if (now.callerId !== admission.callerId || now.isAdmin !== admission.isAdmin) throw new AdmissionChanged();
      if (right !== undefined && caller?.right?.held !== true) throw new AdmissionChanged();
      // A site admin is admitted for the flag alone.
      if (!admission.isAdmin && !sameRows(now, admission)) throw new AdmissionChanged();
      return readAt;
    },
  };
}

function refuseBadToken(access: AccessRule, token: string | undefined): void {
  if (token === undefined) {
    if (access.who !== 'public') throw tokenRequired();
  } else if (!isPlausibleToken(token)) {
    throw new Fault('UNAUTHENTICATED', 'invalid token');
  }
}

interface Enforcement extends Resolved {
  sources: GuardSources;
  held: RelationsHeld;
  counts: GuardMetrics;
  access: AccessRule;
  request: Readonly<Record<string, unknown>>;
  call: IncomingCall;
}

/**
 * Step 5 of open-points 1.5: right, membership and relation. Answers the standing the decision rests on, which is newer
 * than the one given where the rows moved while the engine was asked.
 */
async function enforce(enforcement: Enforcement): Promise<OrganizationStanding | undefined> {
  const { access, organization, caller } = enforcement;
  const { check } = access;
  if (caller?.isAdmin) return organization;
  if (access.right) refuseWithoutRight(access.right, caller);
  if (check?.type === 'site') throw new Fault('FORBIDDEN', 'only a site admin may do this');
  // The caller's own account: nobody else's rights are at stake.
  if (!organization) return undefined;
  if ((access.who === 'member' || check) && organization.principals.length === 0) {
    throw new Fault('NOT_ORG_MEMBER', `only members of ${organization.slug} may do this`);
  }
  if (!check) return organization;
  return enforceCheck(enforcement, check, organization);
}

/** A right that was not told is not taken for granted: an older orgs-teams does not know the question. */
function refuseWithoutRight({ refusal, name }: AccountRight, caller: Caller | undefined): void {
  if (caller?.right === undefined) throw unavailable(`the right ${name}`);
  if (!caller.right.held) throw new Fault(refusal, caller.right.whyNot);
}

async function enforceCheck(
  { sources, held, counts, request, call, caller, owner }: Enforcement,
  check: Check,
  organization: OrganizationStanding,
): Promise<OrganizationStanding> {
  const id = check.type === 'organization' ? 0 : Number(request[check.field!] ?? 0);
  const object =
    check.type === 'organization' ? undefined : (owner ?? (await sources.objects[check.type]!([id], call)).get(id));
  const mine = object?.ownerId === organization.id ? object : undefined;
  const { relation, orSelf } = neededFor(check, request);
  const classOf = classOfObject(check.type, mine, organization.administrative)!;
  const decision = await held.holds(organization, classOf, relation, { ...call, callerId: caller?.id ?? 0 });
  if (!decision.held && !(orSelf !== undefined && caller && request[orSelf] === caller.id)) {
    counts.refused(relation, check.type);
    call.log?.info(
      { relation, object: `${check.type}:${id || organization.id}`, callerId: caller?.id },
      'refused: the caller lacks the relation',
    );
    throw new Fault('FORBIDDEN', `this needs the permission ${relation} on the ${check.type}`, {
      metadata: { relation, objectType: check.type },
    });
  }
  return decision.standing;
}

/** What the check asks for; of several things a method can do, the one the request names. */
function neededFor(check: Check, request: Readonly<Record<string, unknown>>): Action {
  if (check.actionField === undefined) return { relation: check.relation!, orSelf: undefined };
  return check.actions.get(String(request[check.actionField]))!;
}

function admissionOf(
  right: Admission['right'],
  caller: Caller | undefined,
  organization: OrganizationStanding | undefined,
  readAt: number,
): Admission {
  return {
    tokenId: caller?.tokenId ?? 0,
    callerId: caller?.id ?? 0,
    isAdmin: caller?.isAdmin ?? false,
    organizationId: organization?.id ?? 0,
    right: caller?.isAdmin === true ? undefined : right,
    principals: organization?.principals.map(({ user, revision }) => ({ user, revision })) ?? [],
    readAt,
  };
}

/** Whether two admissions of one caller in one organization rest on the same principals in the same states. */
function sameRows(now: Admission, decided: Admission): boolean {
  const revisions = new Map(now.principals.map(({ user, revision }) => [user, revision]));
  return (
    decided.principals.length === revisions.size
    && decided.principals.every(({ user, revision }) => revisions.get(user) === revision)
  );
}
