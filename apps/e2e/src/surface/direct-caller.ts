import * as admin from '@platform/proto/orgs/v1/admin';
import * as authorization from '@platform/proto/authz/v1/authorization';
import * as avatar from '@platform/proto/orgs/v1/avatar';
import * as bulk from '@platform/proto/orgs/v1/bulk';
import * as claim from '@platform/proto/orgs/v1/claim';
import * as decision from '@platform/proto/authz/v1/decision';
import * as identity from '@platform/proto/orgs/v1/identity';
import * as member from '@platform/proto/orgs/v1/member';
import * as organization from '@platform/proto/orgs/v1/organization';
import * as role from '@platform/proto/orgs/v1/role';
import * as settings from '@platform/proto/orgs/v1/settings';
import * as team from '@platform/proto/orgs/v1/team';
import * as teamMember from '@platform/proto/orgs/v1/team_member';
import * as token from '@platform/proto/orgs/v1/token';
import * as status from '@platform/proto/status/v1/status';
import * as version from '@platform/proto/version/v1/version';
import { Fault, openReplicas, type Replicas, type UnaryMethod } from '@platform/rpc';
import type { Method } from '@platform/surface';
import { specCall } from '../operator.ts';
import type { Host, RunningPlatform } from '../platform.ts';

/** Calls any method over gRPC, as other teams do: with a token, and never with a service credential. */
export interface DirectCaller extends AsyncDisposable {
  /**
   * The reason the call was refused with; `OK` when it was not.
   * @param more bytes that follow the message
   */
  reasonOf(
    method: Method,
    fields: Readonly<Record<string, unknown>>,
    token: string | undefined,
    more?: Buffer,
  ): Promise<string>;
}

type Codec = UnaryMethod<Record<string, unknown>, unknown> & {
  requestDeserialize: (bytes: Buffer) => Record<string, unknown>;
};

/** All generated service definitions; a service of the surface that is missing here fails the suite. */
const modules = [
  admin, authorization, avatar, bulk, claim, decision, identity, member, organization, role, settings, status, team,
  teamMember, token, version,
];

export function directCaller(platform: RunningPlatform): DirectCaller {
  const codecs = new Map<string, Codec>();
  for (const module of modules) {
    for (const [name, definition] of Object.entries(module)) {
      if (!name.endsWith('ServiceService')) continue;
      const methods = Object.values(definition as unknown as Record<string, Codec>);
      for (const method of methods) codecs.set(method.path, method);
    }
  }
  const replicas = new Map<string, Replicas>();
  const replicasOf = (host: string): Replicas => {
    const known = replicas.get(host) ?? openReplicas(host, platform.grpc[host as Host].split(','));
    replicas.set(host, known);
    return known;
  };
  return {
    reasonOf: async (method, fields, token, more = Buffer.alloc(0)) => {
      const codec = codecs.get(method.path);
      if (!codec) throw new Error(`direct-caller.ts does not know the generated module of ${method.service}`);
      const request = codec.requestDeserialize(Buffer.alloc(0));
      for (const { name, localName } of method.input.fields) if (name in fields) request[localName] = fields[name];
      const entries: [string, string][] = token === undefined ? [] : [['authorization', `Bearer ${token}`]];
      const requestSerialize = (message: Record<string, unknown>) =>
        Buffer.concat([codec.requestSerialize(message), more]);
      const call = { ...codec, requestSerialize, repeatable: false };
      try {
        await replicasOf(method.hosts[0]!).call(call, request, specCall(), entries);
        return 'OK';
      } catch (error) {
        if (error instanceof Fault) return error.reason;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of replicas.values()) await one[Symbol.asyncDispose]();
    },
  };
}
