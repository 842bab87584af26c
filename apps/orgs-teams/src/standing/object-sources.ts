import type { Database } from '@platform/postgres';
import { type GuardSources, objectsById, type ObjectSource } from '@platform/rpc';
import { type OwnedType, readObjectOwners } from './object-owners.ts';

/** Whose the objects of this service are, for its own guard (authorization.md R2). */
export function objectSources(database: Database): GuardSources['objects'] {
  const source = (type: OwnedType): ObjectSource =>
    objectsById(async (ids, { deadline }) => {
      const rows = await readObjectOwners(database, type, ids, deadline);
      return new Map(rows.map(({ id, ownerId, teamId, isOwnersTeam }) => [
        id, teamId === null ? { ownerId } : { ownerId, teamId, isOwnersTeam },
      ]));
    });
  return { team: source('team'), role: source('role'), token: source('token'), robot_ac: source('robot_ac') };
}
