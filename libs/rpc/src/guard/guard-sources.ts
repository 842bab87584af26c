import type { AskGroundsRequest, AskGroundsResponse } from '@platform/proto/authz/v1/decision';
import type {
  GetStandingRequest, ReportLostStoreRequest, SettleRequest, SettleResponse, Standing,
} from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '../call-context.ts';

/** The owner of an object (authorization.md R2). */
export interface ObjectOwner {
  /** The account that owns the object: an organization or a user. */
  ownerId: number;
  /** For a team: the id of the team. */
  teamId?: number;
  /** For a team: whether it is the Owners team. */
  isOwnersTeam?: boolean;
}

/** An existing object. */
export interface FoundObject extends ObjectOwner {
  id: number;
}

/** How a request names an object. */
export interface ObjectName {
  /** The id or the UUID of the object, or its names within an account. No key is empty or zero. */
  readonly keys: readonly (string | number)[];
  /** The account in which the names are unique; undefined for an id or a UUID. */
  readonly accountId: number | undefined;
}

/**
 * Finds one object with one statement or one call; undefined if it does not exist. A text that cannot be the name of
 * such an object finds nothing.
 */
export type ObjectSource = (name: ObjectName, call: OutgoingContext) => Promise<FoundObject | undefined>;

/**
 * Sources of the facts that the guard needs. Facts of this process are read by functions, facts of other services by
 * calls.
 */
export interface GuardSources {
  standing(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  /**
   * Like `standing`, but may use facts in memory while a lease permits it (leases.md). Only for calls that change
   * nothing.
   */
  known?(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  ask(request: AskGroundsRequest, call: OutgoingContext): Promise<AskGroundsResponse>;
  settle(request: SettleRequest, call: OutgoingContext): Promise<SettleResponse>;
  reportLostStore(request: ReportLostStoreRequest, call: OutgoingContext): Promise<unknown>;
  /** Sources of the objects that access rules name, by type of the authorization model. */
  objects: Readonly<Record<string, ObjectSource>>;
}

/**
 * Creates a source that finds objects by id.
 * @param find returns the owners of the objects with these ids, without unknown ids
 */
export function objectsById(
  find: (ids: readonly number[], call: OutgoingContext) => Promise<ReadonlyMap<number, ObjectOwner>>,
): ObjectSource {
  return async ({ keys }, call) => {
    const id = Number(keys[0]);
    const owner = (await find([id], call)).get(id);
    return owner && { id, ...owner };
  };
}
