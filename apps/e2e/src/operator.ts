import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { connect, type OutgoingContext, type RpcClient } from '@platform/rpc';
import { deadlineIn, Secret } from '@platform/service';
import { api } from '@platform/testing';
import type { RunningPlatform } from './platform.ts';

/** Operations of the operator's command line that specs use to build their worlds. */
export interface Operator extends AsyncDisposable {
  readonly admin: RpcClient<typeof AdminServiceService>;
  /** Makes a user with this name; returns a token of the user. */
  user(username: string, options?: { admin?: boolean }): Promise<TestUser>;
  /** Makes a token of the organization's hidden system admin. */
  systemAdminToken(organization: string): Promise<string>;
}

export interface TestUser {
  readonly id: number;
  readonly username: string;
  readonly token: string;
}

/** Context for calls of a spec: a deadline of ten seconds and the name of the spec. */
export function specCall(token?: string): OutgoingContext {
  return { deadline: deadlineIn(10_000), requestId: 'spec', ...(token === undefined ? {} : { token }) };
}

export async function operatorOf(platform: RunningPlatform): Promise<Operator> {
  const admin = connect(AdminServiceService, {
    surface: (await api()).surface, name: 'orgs-teams', addresses: platform.grpc['orgs-teams'].split(','),
    serviceCredential: new Secret(platform.serviceCredential),
  });
  const tokenOf = async (user: string, organization: string) =>
    (await admin.createToken({ user, organization, name: 'spec', expiresInSeconds: 0 }, specCall())).token;
  return {
    admin,
    user: async (username, options = {}) => {
      const { id } = await admin.createUser({
        username, email: `${username}@example.org`, fullName: '', admin: options.admin ?? false,
        noCreateOrganization: false, prohibitLogin: false, inactive: false,
      }, specCall());
      return { id, username, token: await tokenOf(username, '') };
    },
    systemAdminToken: (organization) => tokenOf('', organization),
    [Symbol.asyncDispose]: () => admin[Symbol.asyncDispose](),
  };
}
