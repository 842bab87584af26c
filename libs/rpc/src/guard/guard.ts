import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { ObjectClass } from '@platform/relations';
import { type Metrics, remaining, type Secret } from '@platform/service';
import { type Deployment, isRegistered, type Method } from '@platform/surface';
import {
  type Admission, AdmissionChanged, type CallContext, type IncomingCall, type OutgoingContext,
} from '../call-context.ts';
import { noService, operatorCheck, serviceCheck, type ShownCredentials } from '../credential.ts';
import { notFound, unavailable } from '@platform/faults';
import { unknownAction } from '../faults/parameter-faults.ts';
import { type ClassOf, classOfObject } from './class-of-object.ts';
import { enforceCheck } from './enforce-check.ts';
import { createGuardMetrics } from './guard-metrics.ts';
import type { FoundObject, GuardSources } from './guard-sources.ts';
import { mayChange } from './may-change.ts';
import { checkedObject, refuseBadToken, refuseMissing, refuseStrangers } from './refuse.ts';
import { createRelationsHeld, type Relations } from './relations-held.ts';
import { authenticate, counting, resolve, scopeOf } from './resolve.ts';

export interface Admitted extends Pick<CallContext, 'caller' | 'account' | 'admission' | 'byOperator'> {
  /** Returns the object of the check; see `ObjectContext`. */
  readonly object: () => FoundObject;
}

/** Checks every call before its method runs, for REST and direct callers alike (open-points 1.5, steps 1 to 5). */
export interface Guard {
  /** Whether these are the credentials of a service of the platform, or of the operator. */
  isService(call: ShownCredentials): boolean;
  /** Checks at start that this process can guard the method. @throws Error if it cannot */
  prepare(method: Method): void;
  /** @throws Fault if the guard refuses the call */
  admit(method: Method, request: Readonly<Record<string, unknown>>, call: IncomingCall): Promise<Admitted>;
  /**
   * Counts a call with a large message towards the caller's rate. Use this before the message is read (open-points
   * 1.9). A call without a token is not counted here.
   * @throws Fault if the call must be refused, for example because the account exceeds its rate
   */
  count(method: Method, call: OutgoingContext & Pick<IncomingCall, 'countsAs'>): Promise<void>;
  /** Returns the caller's relations on the objects of a class in an organization; `'all'` for a site admin. */
  relations(
    context: OutgoingContext & { caller: Caller | undefined }, organization: OrganizationStanding,
    classOf: ClassOf | ObjectClass,
  ): Promise<Relations | 'all'>;
  /**
   * Returns the caller's relations on a class of objects in the acting organization. `'all'` for a site admin. The
   * relations are based on the rows of the admission, which the write path confirms.
   * @throws AdmissionChanged if these rows have changed since
   */
  relationsAsAdmitted(context: CallContext, objectClass: ObjectClass): Promise<Relations | 'all'>;
  /**
   * Reads the rows of the admission again. A write needs this if the rows were read too long ago (authorization.md R6).
   * Returns the new `readAt`.
   * @throws AdmissionChanged if the rows have changed; a Fault, such as UNAUTHENTICATED if the token is no longer valid
   */
  renew(context: OutgoingContext & { readonly admission: Admission }): Promise<number>;
}

interface GuardOptions {
  deployment: Deployment;
  /** Each of these credentials lets a service call internal methods. */
  serviceCredentials: readonly Secret[];
  /** SHA-256 of the operator's credential. */
  operatorVerifier?: Buffer | undefined;
  /** Bytes of memory for kept decisions; default 32 MiB. */
  decisionBytes?: number;
  metrics?: Metrics;
}

/** Maximum time between reading the rows and the end of a decision, in milliseconds (authorization.md R6). */
const oldestStandingMs = 1_000;

/** Returns the state of the rows on which a decision is based. @param readAt see {@link Admission.readAt} */
function admissionOf(
  right: Admission['right'], caller: Caller | undefined, organization: OrganizationStanding | undefined, readAt: number,
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

/** Whether two admissions of one caller in one organization are based on the same revisions of the same principals. */
function sameRows(now: Admission, decided: Admission): boolean {
  const revisions = new Map(now.principals.map(({ user, revision }) => [user, revision]));
  return decided.principals.length === revisions.size
    && decided.principals.every(({ user, revision }) => revisions.get(user) === revision);
}

const unknownCaller: Admitted = {
  caller: undefined,
  account: undefined,
  admission: admissionOf(undefined, undefined, undefined, 0),
  object: () => refuseMissing({ check: undefined }),
};

export function createGuard(sources: GuardSources, options: GuardOptions): Guard {
  const counts = createGuardMetrics(options.metrics);
  const held = createRelationsHeld(sources, options.decisionBytes ?? 32 * 1024 * 1024, counts);
  const isService = serviceCheck(options.serviceCredentials, options.operatorVerifier);
  const isOperator = operatorCheck(options.operatorVerifier);
  const { standing, known = standing, objects, knownObjects } = sources;
  const knowing: GuardSources = { ...sources, standing: known, objects: { ...objects, ...knownObjects } };

  return {
    isService,
    prepare: ({ access: { account, check }, fullName }) => {
      const objects = [check?.object, account?.from === 'object' ? account.object : account?.ownerOf];
      for (const { type } of objects.filter((object) => object !== undefined)) {
        const refused = !sources.objects[type] ? 'this process has no source for objects of this type'
          : !classOfObject(type, undefined, false) ? 'organizations own no objects of this type' : undefined;
        if (refused !== undefined) throw new Error(`${fullName} names a ${type}: ${refused}`);
      }
    },
    admit: async (method, request, call) => {
      const { access, rest, fullName } = method;
      if (!isRegistered(rest.gate, options.deployment)) throw notFound();
      if (access.who === 'internal' || access.who === 'anonymous') {
        if (access.who === 'internal' && !isService(call)) throw noService(fullName, call);
        if (call.parameterFault) throw call.parameterFault;
        return access.who === 'internal' ? { ...unknownCaller, byOperator: isOperator(call) } : unknownCaller;
      }
      refuseBadToken(access, call.token);
      const parameterFault = call.parameterFault ?? unknownAction(access, request);
      if (parameterFault) {
        // Refuse an invalid token, or a token without the scope, before an invalid parameter.
        const asked = { slugs: [], organizationIds: [], ...counting(call.countsAs), ...scopeOf(access, request) };
        await authenticate(sources, access, { token: call.token ?? '', ...asked }, call);
        throw parameterFault;
      }
      const asked = mayChange(method) ? sources : knowing;
      for (let { countsAs } = call; ; countsAs = 0) {
        const resolved = await resolve(asked, access, request, call, countsAs);
        const at = performance.now();
        const { caller } = resolved;
        refuseStrangers(access, caller, resolved.account);
        const object = resolved.object ?? (await checkedObject(asked, access, request, resolved.account, call));
        const decision = { access, request, call, caller, object };
        const account = await enforceCheck(held, counts, decision, resolved.account);
        if (performance.now() - at <= oldestStandingMs) {
          const standing = account?.kind === 'organization' ? account.standing : undefined;
          const admission = admissionOf(access.right?.number, caller, standing, at);
          return { caller, account, admission, object: () => object ?? refuseMissing(access) };
        }
        // A step took too long (R6), so decide again. The grounds are in memory now, so this is usually quick.
        if (remaining(call.deadline) < 50) throw unavailable('authorization');
        counts.repeated('standing old');
      }
    },
    count: async ({ access }, call) => {
      if (access.who === 'internal' || access.who === 'anonymous') return;
      refuseBadToken(access, call.token);
      const { token, countsAs } = call;
      if (token === undefined) return;
      await authenticate(sources, access, { token, ...counting(countsAs), slugs: [], organizationIds: [] }, call);
    },
    relations: async (context, organization, classOf) => {
      if (context.caller?.isAdmin) return 'all';
      if (organization.principals.length === 0) return new Set();
      const seen = typeof classOf === 'function' ? classOf : () => classOf;
      return (await held.all(organization, seen, { ...context, callerId: context.caller?.id ?? 0 })).relations;
    },
    relationsAsAdmitted: async (context, objectClass) => {
      const { caller, account, admission, method } = context;
      if (caller?.isAdmin) return 'all';
      if (account?.kind !== 'organization' || account.standing.principals.length === 0) return new Set();
      const asking = { ...context, callerId: caller?.id ?? 0 };
      const { relations, standing } = await held.all(account.standing, () => objectClass, asking);
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
      // A site admin needs no principals, so changed principals do not matter.
      if (!admission.isAdmin && !sameRows(now, admission)) throw new AdmissionChanged();
      return readAt;
    },
  };
}
