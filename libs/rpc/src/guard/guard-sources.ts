import type { AskGroundsRequest, AskGroundsResponse } from '@platform/proto/authz/v1/decision';
import type {
  GetStandingRequest, ReportLostStoreRequest, SettleRequest, SettleResponse, Standing,
} from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '../call-context.ts';

/** Whose an object is (authorization.md R2). */
export interface ObjectOwner {
  /** The account it belongs to. */
  ownerId: number;
  /** For a team: its own id. */
  teamId?: number;
  /** For a team: it is Owners. */
  isOwnersTeam?: boolean;
}

/** Where the guard learns what it decides on. Inside orgs-teams and authz a function, elsewhere a call. */
export interface GuardSources {
  standing(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
  ask(request: AskGroundsRequest, call: OutgoingContext): Promise<AskGroundsResponse>;
  settle(request: SettleRequest, call: OutgoingContext): Promise<SettleResponse>;
  reportLostStore(request: ReportLostStoreRequest, call: OutgoingContext): Promise<unknown>;
  /** Owners of the objects this service owns, by type of the model; ids that do not exist are left out. */
  objects: Readonly<Record<string, OwnerSource>>;
}

/** Tells the owners of those of the objects that exist. */
export type OwnerSource = (ids: readonly number[], call: OutgoingContext) => Promise<Map<number, ObjectOwner>>;
