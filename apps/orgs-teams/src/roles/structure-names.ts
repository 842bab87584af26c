import { controlCharacterProblem, lengthOf } from '@platform/values';

const teamForm = /^[A-Za-z0-9_.-]+(?: [A-Za-z0-9_.-]+)*$/;
const mostOfTeam = 50;
const mostOfRole = 100;

/**
 * Why a team may not have this name (open-points 3.5), for people; undefined when it may.
 * @param isOwners whether the team is Owners, the only one that may have its name
 */
export function teamNameProblem(name: string, isOwners: boolean): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > mostOfTeam) return `must have at most ${mostOfTeam} characters`;
  if (!teamForm.test(name)) return 'may hold letters, digits, -, _, . and single spaces between them';
  const key = name.toLowerCase();
  if (key === 'new' || (key === 'owners' && !isOwners)) return 'is reserved, choose another one';
  return undefined;
}

/** Why a role may not have this name, which is already trimmed (open-points 2.7). */
export function roleNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (lengthOf(name) > mostOfRole) return `must have at most ${mostOfRole} characters`;
  return controlCharacterProblem(name);
}
