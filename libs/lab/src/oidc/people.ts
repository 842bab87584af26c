/** Somebody whom the provider of the lab knows. */
export interface LabPerson {
  /** The subject. */
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly groups: readonly string[];
}

/** One person in a group, one in none, and one whose address nobody has verified. */
export const labPeople: readonly LabPerson[] = [
  { login: 'ada', name: 'Ada Lovelace', email: 'ada@lab.example', isVerified: true, groups: ['engineers'] },
  { login: 'blaise', name: 'Blaise Pascal', email: 'blaise@lab.example', isVerified: true, groups: [] },
  { login: 'carl', name: 'Carl Gauss', email: 'carl@lab.example', isVerified: false, groups: ['engineers'] },
];
