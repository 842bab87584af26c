import { UniqueViolation } from '@platform/postgres';
import { controlCharacterProblem, lengthOf, nameTaken } from '@platform/values';

const teamForm = /^[A-Za-z0-9_.-]+(?: [A-Za-z0-9_.-]+)*$/;
const mostOfTeam = 50;
const mostOfRole = 100;

/**
 * Returns why a team may not have this name, as a text for users; undefined if it may (open-points 3.5).
 * @param isOwners whether the team is the team Owners
 */
export function teamNameProblem(name: string, isOwners: boolean): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > mostOfTeam) return `must have at most ${mostOfTeam} characters`;
  if (!teamForm.test(name)) return 'may contain only ASCII letters, digits, -, _, . and single spaces between them';
  const key = name.toLowerCase();
  if (key === 'new' || (key === 'owners' && !isOwners)) return 'is reserved, choose another name';
  return undefined;
}

/**
 * Returns why a role may not have this name; undefined if it may (open-points 2.7). The name must be trimmed already.
 */
export function roleNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (lengthOf(name) > mostOfRole) return `must have at most ${mostOfRole} characters`;
  return controlCharacterProblem(name);
}

/**
 * Runs a change that sets the name of a team or a role.
 * @throws Fault ALREADY_EXISTS when the name is taken, ignoring case
 */
export async function namedOnce<Result>(
  constraint: 'team_name' | 'role_name', name: string, change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof UniqueViolation && error.constraint === constraint) throw nameTaken(name, error);
    throw error;
  }
}
