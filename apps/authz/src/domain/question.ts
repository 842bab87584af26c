import { grounds, organizationObject, type RelationTuple } from '@platform/relations';

/** A question to the engine: which of some relations does a user have on an object? */
export interface Question {
  readonly user: string;
  readonly object: string;
  readonly relations: readonly string[];
  /** Contextual tuples: they apply to this question only and are not stored (authorization.md, invariant 2). */
  readonly contextual: readonly RelationTuple[];
}

/** Why a question cannot be asked. */
export type Impossible = { readonly impossible: string };

const principalForm = /^(?:team:[1-9]\d{0,15}#member|user:[1-9]\d{0,15})$/;

/**
 * Builds the question of authorization.md R5: the grounds of a principal in an organization.
 * @param principal `team:{id}#member` or `user:{id}`
 */
export function groundsQuestion(principal: string, organizationId: number): Question | Impossible {
  if (!principalForm.test(principal)) return { impossible: 'the principal is neither team:{id}#member nor user:{id}' };
  if (!Number.isSafeInteger(organizationId) || organizationId < 1) return { impossible: 'the organization is missing' };
  return { user: principal, object: organizationObject(organizationId), relations: grounds, contextual: [] };
}
