import { Fault } from '@platform/faults';
import type { RequestReader } from '@platform/proto/request-reader';
import type { Standing } from '@platform/proto/orgs/v1/identity';
import {
  type CallContext, createGuard, type GuardSources, type Implementation, type RpcServer, startRpcServer,
} from '@platform/rpc';
import { type Logger, Secret, silentLogger } from '@platform/service';
import { type DescField, type DescMessage, type Surface } from '@platform/surface';
import { readWireCodecs } from '../src/wire-codec.ts';

/** A message whose keys are the field names of the proto. */
export type WireMessage = Record<string, unknown>;

/** Handles a unary call of the test API. The keys of the request are the field names of the proto. */
export type TestHandler = (request: WireMessage, context: CallContext) => WireMessage | Promise<WireMessage>;
/** Handlers of streaming methods, by name. */
export interface StreamHandlers {
  readonly StreamDocument?: (request: WireMessage, context: CallContext) => AsyncIterable<WireMessage>;
  readonly StreamRows?: (request: WireMessage, context: CallContext) => AsyncIterable<WireMessage>;
  readonly UploadDocument?: (requests: AsyncIterable<WireMessage>, context: CallContext) => Promise<WireMessage>;
}

const raw = Symbol('request as decoded');
type Decoded = { [raw]: WireMessage };

async function* rawOf(messages: AsyncIterable<Decoded>): AsyncGenerator<WireMessage> {
  for await (const message of messages) yield message[raw];
}

/** The token of the user `alice`; see {@link startTestService}. */
export const aliceToken = 'a'.repeat(40);
export const strangerToken = 'b'.repeat(40);
/** The service credential that the test service accepts. */
export const testCredential = 'credential-of-the-tests';

export interface TestServiceOptions {
  readonly log?: Logger;
  readonly streams?: StreamHandlers;
  /** Called each time the guard counts requests of a caller. `requests` is their number. */
  readonly counted?: (requests: number) => void;
}

/**
 * Starts a gRPC server with the methods of the host `test` and the real guard. The user `alice` is a member of the
 * organization `acme`. The user `stranger` is not a member of any organization.
 */
export function startTestService(
  surface: Surface,
  handlers: Readonly<Record<string, TestHandler>>,
  { log = silentLogger, streams = {}, counted = () => undefined }: TestServiceOptions = {},
): Promise<RpcServer> {
  const wire = readWireCodecs(surface.registry);
  const standing: GuardSources['standing'] = (asked, call) => {
    if (asked.countsRequest === true) counted(asked.countsAs ?? 1);
    return directory.standing(asked, call);
  };
  const methods = surface.methods
    .filter(({ hosts }) => hosts.includes('test'))
    .map((method): Implementation['methods'][number] => {
      const request = wire(method.input);
      const response = wire(method.output);
      const unary = handlers[method.name] ?? ((message: WireMessage) => message);
      const answer = async (message: Decoded, context: CallContext) => unary(message[raw], context);
      const send = (message: Decoded, context: CallContext) =>
        streams[method.name as 'StreamDocument' | 'StreamRows']!(message[raw], context);
      const receive = (messages: AsyncIterable<Decoded>, context: CallContext) =>
        streams.UploadDocument!(rawOf(messages), context);
      const byKind = { unary: answer, server_streaming: send, client_streaming: receive };
      return {
        definition: {
          path: method.path,
          requestStream: method.kind === 'client_streaming',
          responseStream: method.kind === 'server_streaming',
          requestSerialize: request.encode,
          requestDeserialize: ({ whole }: RequestReader) => {
            const message = request.decode(whole as Buffer);
            return { ...byLocalName(method.input, message), [raw]: message };
          },
          responseSerialize: response.encode,
          responseDeserialize: response.decode,
        },
        handler: byKind[method.kind] as Implementation['methods'][number]['handler'],
      };
    });
  return startRpcServer({
    surface,
    host: 'test',
    services: [{ methods }],
    guard: createGuard({ ...directory, standing }, { deployment, serviceCredentials: [new Secret(testCredential)] }),
    listen: '127.0.0.1:0',
    log,
  });
}

/** A deployment in which every method of the test API exists. */
const deployment = { type: 'Hosted', runMode: 'dev', billing: 'true', testRoutes: true } as const;

const logins = new Map([
  [aliceToken, 'alice'],
  [strangerToken, 'stranger'],
]);

const directory: GuardSources = {
  standing: async ({ token, slugs }): Promise<Standing> => {
    const login = logins.get(token);
    if (token !== '' && login === undefined) throw new Fault('UNAUTHENTICATED', 'invalid token');
    const principals =
      login === 'alice' ? [{ user: 'team:1#member', revision: '1', pending: false, teamId: 1, isOwners: true }] : [];
    return {
      caller:
        login === undefined
          ? undefined
          : {
              id: login === 'alice' ? 1 : 2,
              login,
              kind: 1,
              isAdmin: false,
              tokenId: 1,
              systemAdminOf: 0,
              scopes: ['all'],
            },
      organizations: slugs
        .filter((slug) => slug === 'acme')
        .map((slug) => ({ id: 10, slug, kind: 3, visible: true, administrative: false, principals })),
    };
  },
  ask: async () => ({ grounds: [], modelId: '', fence: '' }),
  settle: async () => ({ settled: true }),
  reportLostStore: async () => ({}),
  objects: {},
};

/** Returns the message with the field names of the generated code, which the guard uses. */
function byLocalName(type: DescMessage, message: WireMessage): WireMessage {
  const renamed: WireMessage = {};
  for (const field of type.fields) {
    if (Object.hasOwn(message, field.name)) renamed[field.localName] = renameValue(field, message[field.name]);
  }
  return renamed;
}

function renameValue(field: DescField, value: unknown): unknown {
  if (!field.message) return value;
  const rename = (item: unknown) => byLocalName(field.message, item as WireMessage);
  if (field.fieldKind === 'list') return (value as unknown[]).map(rename);
  if (field.fieldKind === 'map') {
    return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, rename(item)]));
  }
  return rename(value);
}
