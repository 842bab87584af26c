/** The object types for which allowed-permissions can be requested (spec §2.1). */
export const askableTypes = ['user', 'organization', 'team', 'cluster', 'contract', 'robot_ac', 'token'] as const;

export type AskableType = (typeof askableTypes)[number];

export interface ObjectIdentifier {
  readonly type: AskableType;
  readonly id: number;
}

export type IdentifierFlaw = 'unknown type' | 'impossible id' | 'not the caller';

/** Checks an identifier that a caller sent. Returns a flaw if the identifier is invalid (open-points 2.5). */
export function readIdentifier(type: string, id: number, callerId: number): ObjectIdentifier | IdentifierFlaw {
  const known = askableTypes.find((one) => one === type);
  if (known === undefined) return 'unknown type';
  if (!Number.isSafeInteger(id) || id < 1) return 'impossible id';
  if (known === 'user' && id !== callerId) return 'not the caller';
  return { type: known, id };
}
