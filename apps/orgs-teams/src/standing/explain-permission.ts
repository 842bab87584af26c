import { Fault } from '@platform/faults';
import type { ExplanationServiceService } from '@platform/proto/orgs/v1/explanation';
import { organizationClass, textOfRequirement } from '@platform/relations';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { explainDecision } from './explain.ts';

/** POST /authz/explain (open-points 18.5). Only callers who may edit the organization may ask about other users. */
export function explainPermission(parts: Parts): Handler<typeof ExplanationServiceService.explainPermission> {
  return async ({ question }, context) => {
    const { username = '', objectType = '', objectId = 0, relation = '' } = question!;
    const { account: { id: ownerId, standing }, caller } = context;
    if (username.toLowerCase() !== caller.login.toLowerCase()) {
      const held = await parts.guard.relations(context, standing, organizationClass(standing.administrative));
      if (held !== 'all' && !held.has('can_edit')) {
        throw new Fault('FORBIDDEN', 'to ask about another user, you need the permission can_edit on the organization');
      }
    }
    const object = `${objectType}:${objectId}`;
    const explained = await explainDecision(parts, { user: username, relation, object, ownerId }, context);
    const { allowed, principals, paths, requirements } = explained;
    return {
      allowed,
      principals: principals.map(({ team, right, roles }) => ({
        team: team?.name ?? '',
        permission: right,
        roles: roles.map(({ id, name }) => ({ id, name })),
        grants: paths.some((path) => path.team?.id === team?.id),
      })),
      wouldAllow: requirements.map(textOfRequirement),
    };
  };
}
