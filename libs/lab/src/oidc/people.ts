/** A person who can sign in at the lab's OpenID Connect provider. */
export interface LabPerson {
  /** The subject (`sub`) of the ID token. */
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly groups: readonly string[];
}

/** A person in a group, a person without a group, and a person whose email address is not verified. */
export const labPeople: readonly LabPerson[] = [
  { login: 'ada', name: 'Ada Lovelace', email: 'ada@lab.example', isVerified: true, groups: ['engineers'] },
  { login: 'blaise', name: 'Blaise Pascal', email: 'blaise@lab.example', isVerified: true, groups: [] },
  { login: 'carl', name: 'Carl Gauss', email: 'carl@lab.example', isVerified: false, groups: ['engineers'] },
];
