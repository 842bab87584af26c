import {
  AdminServiceService, type ExplainedPrincipal, type ExplainResponse, type GrantPath, type Requirement, Verdict,
} from '@platform/proto/orgs/v1/admin';
import { textOfRequirement } from '@platform/relations';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

/**
 * `platform admin explain`: prints a decision and the reasons for it. With `--json`, prints `{"user", "relation",
 * "object", …}` with the fields of ExplainResponse. The verdict is in lower case (`granted`).
 * @throws Fault, for example NOT_FOUND, INVALID_OBJECT_TYPE, INVALID_VALUE or UNAVAILABLE; CommandFault, ConfigError
 */
export async function explainDecision(
  { user, relation, object, ...server }: ServerOptions & Readonly<Record<'user' | 'relation' | 'object', string>>,
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const explained = await service.explain({ user, relation, object }, operatorCall());
  const { allowed, owner } = explained;
  const belongs = owner === undefined ? '' : ` of the ${owner.kind} ${owner.name}`;
  output.answer({ user, relation, object, ...explained, verdict: wordOf(explained.verdict) }, () => [
    `${allowed ? 'Allowed' : 'Refused'}: ${user} ${relation} ${object}${belongs}.`,
    ...why(user, explained),
    ...(explained.signsIn ? [] : [`${user} is inactive or may not sign in: no token of the account is accepted.`]),
    ...(explained.engineAgrees ? [] : ['OpenFGA does not agree with the database: run `platform doctor --repair`.']),
  ]);
}

/** `VERDICT_NOT_GRANTED` → `not_granted`. */
function wordOf(verdict: Verdict): string {
  const [name = 'VERDICT_UNKNOWN'] = Object.entries(Verdict).find(([, value]) => value === verdict) ?? [];
  return name.replace('VERDICT_', '').toLowerCase();
}

function why(user: string, { verdict, paths, requirements, principals, owner }: ExplainResponse): string[] {
  switch (verdict) {
    case Verdict.VERDICT_SITE_ADMIN: return [`${user} is a site admin.`];
    case Verdict.VERDICT_OWN: return [`It belongs to ${user}.`];
    case Verdict.VERDICT_GRANTED: return paths.map((path) => `  ${textOfPath(path)}`);
    case Verdict.VERDICT_NOT_THE_OWNER:
      return [`It belongs to ${owner?.name}: only ${owner?.name} and site admins may do this.`];
    case Verdict.VERDICT_SITE_ADMINS_ONLY: return ['Only site admins may do this.'];
    case Verdict.VERDICT_NOT_A_MEMBER: return [`${user} is in no team of ${owner?.name}.`, ...needed(requirements)];
    default:
      return [
        `${user} acts through:`, ...principals.map((principal) => `  ${textOfPrincipal(principal)}`),
        ...needed(requirements),
      ];
  }
}

function needed(requirements: readonly Requirement[]): string[] {
  if (requirements.length === 0) return ['Only site admins may do this.'];
  return ['One of the following would allow this:', ...requirements.map((requirement) => `  ${textOfRequirement(requirement)}`)];
}

function textOfPath({ team, through, right, role }: GrantPath): string {
  const named = `team ${team?.name} (${team?.id})`;
  switch (through) {
    case 'right': return `${named} has the permission ${right}`;
    case 'role': return `${named} has the role ${role?.name} (${role?.id}) with ${role?.namespace} / ${role?.action}`;
    case 'own_team': return `the user is in ${named}`;
    case 'branding': return `${named} administers the administrative organization`;
    default: return 'the user is the system admin of the organization';
  }
}

function textOfPrincipal({ team, right, roles }: ExplainedPrincipal): string {
  if (team === undefined) return 'the system admin of the organization';
  const named = roles.map(({ id, name }) => `${name} (${id})`).join(', ');
  return `team ${team.name} (${team.id}), permission ${right}${named === '' ? ', no role' : `, roles ${named}`}`;
}
