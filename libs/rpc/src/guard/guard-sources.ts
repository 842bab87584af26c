import type { AskGroundsRequest, AskGroundsResponse } from '@platform/proto/authz/v1/decision';
import type {
  GetStandingRequest, ReportLostStoreRequest, SettleRequest, SettleResponse, Standing,
} from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '../call-context.ts';

/** Whose an object is (authorization.md R2). */
export interface ObjectOwner {
  /** The account it belongs to: an organization or a user. */
  ownerId: number;
  /** For a team: its own id. */
  teamId?: number;
  /** For a team: it is Owners. */
  isOwnersTeam?: boolean;
}

/** An object that exists. */
export interface FoundObject extends ObjectOwner {
  id: number;
}

/** How a request names an object. */
export interface ObjectName {
  /** Its id or UUID, or its names within an account. No key is empty or zero. */
  readonly keys: readonly (string | number)[];
  /** The account in which the names are unique; undefined for an id or a UUID. */
  readonly accountId: number | undefined;
}

/**
 * Finds one object in one statement, or one call; undefined when there is none. A text that cannot be a name of such an
 * object names none.
 */
export type ObjectSource = (name: ObjectName, call: OutgoingContext) => Promise<FoundObject | undefined>;

/** Where the guard learns what it decides on. Inside orgs-teams and authz a function, elsewhere a call. */
export interface GuardSources {
  standing(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  /** The same from memory where a lease allows it (leases.md), for calls that change nothing. */
  known?(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  ask(request: AskGroundsRequest, call: OutgoingContext): Promise<AskGroundsResponse>;
  settle(request: SettleRequest, call: OutgoingContext): Promise<SettleResponse>;
  reportLostStore(request: ReportLostStoreRequest, call: OutgoingContext): Promise<unknown>;
  /** Objects that the access rules of this process name, by type of the model. */
  objects: Readonly<Record<string, ObjectSource>>;
}

/** Objects named by their id, from a function that finds the owners of many; ids that do not exist are left out. */
export function objectsById(
  find: (ids: readonly number[], call: OutgoingContext) => Promise<ReadonlyMap<number, ObjectOwner>>,
): ObjectSource {
  return async ({ keys }, call) => {
    const id = Number(keys[0]);
    const owner = (await find([id], call)).get(id);
    return owner && { id, ...owner };
  };
}
