import { AccountKind, IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { CommandFault } from '../command-fault.ts';
import type { Environment } from '../settings.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

const owningKinds: readonly AccountKind[] = [AccountKind.ACCOUNT_KIND_ORGANIZATION, AccountKind.ACCOUNT_KIND_PERSON];

/**
 * Returns the organization or user with this name, ignoring case.
 * @throws Fault, ConfigError; CommandFault, for example if there is no such organization or user
 */
export async function findAccount(
  given: string, server: ServerOptions, environment: Environment,
): Promise<{ readonly id: number; readonly name: string }> {
  await using identity = await connectOperator(IdentityServiceService, 'orgs-teams', server, environment);
  const asked = { token: '', slugs: [given], organizationIds: [] };
  const { organizations } = await identity.getStanding(asked, operatorCall());
  const found = organizations.find(({ slug, kind }) =>
    slug.toLowerCase() === given.toLowerCase() && owningKinds.includes(kind));
  if (found === undefined) throw new CommandFault(`There is no account ${given}`, 'Name an organization or a user.');
  return { id: found.id, name: found.slug };
}
