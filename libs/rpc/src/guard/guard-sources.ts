import type { AskGroundsRequest, AskGroundsResponse } from '@platform/proto/authz/v1/decision';
import type {
  GetStandingRequest, OrganizationStanding, ReportLostStoreRequest, SettleRequest, SettleResponse, Standing,
} from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '../call-context.ts';

/** The owner of an object and, for a team, the values that determine its class (authorization.md R2). */
export interface ObjectOwner {
  /** Id of the account that owns the object: an organization or a user. */
  ownerId: number;
  teamId?: number;
  /** For a team: whether it is the team Owners. */
  isOwnersTeam?: boolean;
}

export interface FoundObject extends ObjectOwner {
  id: number;
}

export interface ObjectName {
  /** The id or the UUID of the object, or its names within an account. No key is empty or zero. */
  readonly keys: readonly (string | number)[];
  /** The account in which the names are unique; undefined for an id or a UUID. */
  readonly accountId: number | undefined;
}

/** Finds one object with one statement or one call; undefined if no object has this name. */
export type ObjectSource = (name: ObjectName, call: OutgoingContext) => Promise<FoundObject | undefined>;

/** The sources of the guard's data: functions of this process, or calls to other services. */
export interface GuardSources {
  standing(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  /** Like `standing`, but may use data in memory under a lease (leases.md). Only for calls that change nothing. */
  known?(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  ask(request: AskGroundsRequest, call: OutgoingContext): Promise<AskGroundsResponse>;
  settle(request: SettleRequest, call: OutgoingContext): Promise<SettleResponse>;
  reportLostStore(request: ReportLostStoreRequest, call: OutgoingContext): Promise<unknown>;
  /** Sources of the objects that access rules name, by type of the authorization model. */
  objects: Readonly<Record<string, ObjectSource>>;
  /** Like `objects`, but may use data in memory, as `known` may. For a type that is missing here, `objects` is used. */
  knownObjects?: Readonly<Record<string, ObjectSource>>;
}

/** Reads the caller's standing in one organization again; undefined if the organization does not exist. */
export async function standingNow(
  sources: Pick<GuardSources, 'standing'>, organizationId: number, call: OutgoingContext,
): Promise<OrganizationStanding | undefined> {
  const request = { token: call.token ?? '', slugs: [], organizationIds: [organizationId] };
  return (await sources.standing(request, call)).organizations.find(({ id }) => id === organizationId);
}

/** Creates a source that finds objects by id. @param find returns the owner for each known id */
export function objectsById(
  find: (ids: readonly number[], call: OutgoingContext) => Promise<ReadonlyMap<number, ObjectOwner>>,
): ObjectSource {
  return async ({ keys }, call) => {
    const id = Number(keys[0]);
    const owner = (await find([id], call)).get(id);
    return owner && { id, ...owner };
  };
}
