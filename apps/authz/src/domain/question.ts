import { grounds, organizationObject, type RelationTuple } from '@platform/relations';

/** Which of the relations does the user have on the object? */
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

/** Returns the question which of `grounds` a principal has (authorization.md R5), or which argument is invalid. */
export function groundsQuestion(principal: string, organizationId: number): Question | Impossible {
  if (!principalForm.test(principal)) return { impossible: 'the principal is neither team:{id}#member nor user:{id}' };
  if (!Number.isSafeInteger(organizationId) || organizationId < 1) return { impossible: 'the organization is invalid' };
  return { user: principal, object: organizationObject(organizationId), relations: grounds, contextual: [] };
}
