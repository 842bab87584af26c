/** The types of objects in allowed-permissions (spec §2.1). */
export const askableTypes = ['user', 'organization', 'team', 'cluster', 'contract', 'robot_ac', 'token'] as const;

/** One of {@link askableTypes}. */
export type AskableType = (typeof askableTypes)[number];

/** An object as the API identifies it. */
export interface ObjectIdentifier {
  readonly type: AskableType;
  readonly id: number;
}

/** Why an identifier is invalid. */
export type IdentifierFlaw = 'unknown type' | 'impossible id' | 'not the caller';

/** Parses an identifier as a caller sent it (open-points 2.5). */
export function readIdentifier(type: string, id: number, callerId: number): ObjectIdentifier | IdentifierFlaw {
  if (!isAskable(type)) return 'unknown type';
  if (!Number.isSafeInteger(id) || id < 1) return 'impossible id';
  if (type === 'user' && id !== callerId) return 'not the caller';
  return { type, id };
}

function isAskable(type: string): type is AskableType {
  return (askableTypes as readonly string[]).includes(type);
}
