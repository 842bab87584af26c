import { notFound } from '@platform/faults';
import type { BulkServiceService, PutTeamsRequest } from '@platform/proto/orgs/v1/bulk';
import type { Handler } from '@platform/rpc';
import { lengthProblem, noteDuplicates, refuseTooMany, Violations } from '@platform/values';
import { findTeamsNamed, insertMissingTeams, type TeamOfBatch } from '../accounts/batches.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import type { Parts } from '../parts.ts';
import { teamNameProblem } from '../roles/structure-names.ts';
import { lock } from '../write/locks.ts';

/** Adds the requested teams that the organization does not have yet (open-points 3.5). */
export function putTeams({ write }: Parts): Handler<typeof BulkServiceService.putTeams> {
  return async (request, context) => {
    const organizationId = request.organizationId ?? 0;
    const teams = teamsOf(request);
    return write(context, [lock.structure(organizationId)], async (work) => {
      if ((await readOrganization(work, organizationId, context.deadline)) === undefined) {
        throw notFound(`there is no organization with the id ${organizationId}`);
      }
      const added = await insertMissingTeams(work, organizationId, teams);
      const ofName = new Map(teams.map((team) => [team.name, team]));
      work.audit(...added.map(({ id, name }) => ({
        action: 'team.create', object: `team:${id}`, organizationId, details: { ...ofName.get(name), roleIds: [] },
      })));
      const found = await findTeamsNamed(work, organizationId, teams.map(({ name }) => name));
      const ids = new Map(found.map(({ id, name }) => [name.toLowerCase(), id]));
      return { ids: teams.map(({ name }) => ids.get(name.toLowerCase())!), added: added.length };
    });
  };
}

const permissions = ['read', 'write', 'admin'] as const;

function teamsOf({ teams }: PutTeamsRequest): TeamOfBatch[] {
  refuseTooMany('teams', teams);
  const violations = new Violations();
  const read = teams.map(({ name = '', description, permission }, index): TeamOfBatch => {
    const place = `teams[${index}]`;
    violations.note(`${place}.name`, teamNameProblem(name, false));
    violations.note(`${place}.description`, lengthProblem(description, { most: 255 }));
    const right = permissions.find((one) => one === permission);
    if (right === undefined) violations.note(`${place}.permission`, `must be one of ${permissions.join(', ')}`);
    return { name, description, permission: right ?? 'read' };
  });
  noteDuplicates(violations, read.map(({ name }) => name), (index) => `teams[${index}].name`);
  violations.refuse();
  return read;
}
