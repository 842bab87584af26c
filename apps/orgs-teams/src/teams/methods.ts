import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handlers } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { addTeamMember, getTeamMember, listTeamMembers, removeTeamMember } from './team-members.ts';
import { changeMembership } from './change-membership.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { getTeam, listTeams } from './read-teams.ts';
import { updateTeam } from './update-team.ts';

/** Teams of an organization. */
export function teams(parts: Parts): Handlers<typeof TeamServiceService> {
  return {
    listTeams: listTeams(parts),
    createTeam: createTeam(parts),
    getTeam: getTeam(parts),
    updateTeam: updateTeam(parts),
    deleteTeam: deleteTeam(parts),
  };
}

/** The members of a team. */
export function teamMembers(parts: Parts): Handlers<typeof TeamMemberServiceService> {
  return {
    changeMembership: changeMembership(parts),
    listTeamMembers: listTeamMembers(parts),
    getTeamMember: getTeamMember(parts),
    addTeamMember: addTeamMember(parts),
    removeTeamMember: removeTeamMember(parts),
  };
}
