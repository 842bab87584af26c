import { Agent } from 'node:http';
import type { Example } from '@platform/proto/examples';
import { type DescMessage, isRegistered, type Method, type Surface } from '@platform/surface';
import { exchange } from '@platform/testing';
import { hosted } from '../../examples/deployments.ts';
import { meantBy, requestOf } from '../../examples/call-example.ts';
import type { Names } from '../../examples/names.ts';
import type { Host, RunningPlatform } from '../../platform.ts';
import { exampleOf } from '../../surface/cases.ts';
import { messageOf } from '../../surface/direct-caller.ts';
import { arounds, metadata } from './around.ts';
import { formFilling } from './form-filling.ts';
import { framed, grpcWire, type GrpcWire } from './grpc-wire.ts';
import { inChunks } from './in-chunks.ts';
import { jsonBody } from './json-body.ts';
import { choice, largest, type Shape } from './shape.ts';
import { wireFilling } from './wire-filling.ts';

/** The attackers: the member is in one team; the owner has created the organization, as any user may. */
export const attackers = ['nobody', 'bad token', 'member', 'owner'] as const;
export type Sender = (typeof attackers)[number] | 'site admin';

/** A platform to send to. */
export interface Attacked {
  readonly platform: RunningPlatform;
  readonly tokens: Readonly<Record<Sender, string | undefined>>;
  /** The token of a member who takes no part in the attack. */
  readonly bystander: string;
  /** Actual values for the names in the examples. */
  readonly meant: Names['meant'];
}

/** A request in a shape, which can be sent any number of times. */
export interface Prepared {
  /** Size in bytes of the body or message and of its headers or metadata. */
  readonly bytes: number;
  /** Readable start of the body or message. */
  readonly beginning: string;
  /** Sends the request; returns its status: `422`, `grpc 3`, or `cut` if the connection was closed instead. */
  send(): Promise<string>;
}

/** A way to call a method. */
export interface Target {
  /** `REST PATCH /api/v1/…`, `gRPC platform.…`. */
  readonly name: string;
  /** Services that take part in the answer. */
  readonly services: readonly (Host | 'gateway')[];
  readonly senders: readonly Sender[];
  prepare(shape: Shape, sender: Sender): Promise<Prepared>;
}

export interface Targets extends Disposable {
  readonly all: readonly Target[];
}

/** Time limit of a request, in milliseconds. */
const longestRequest = 20_000;
/** Number of bytes of a body that are shown to readers. */
const shownBytes = 80;

/** All methods with a body over REST, and all methods over gRPC, of running services. */
export function targetsOf({ methods }: Surface, examples: ReadonlyMap<string, Example>, attacked: Attacked): Targets {
  const { platform: { services, grpc } } = attacked;
  const runs = (host: string): host is Host => Object.hasOwn(services, host);
  const agent = new Agent({ keepAlive: true });
  const wires = new Map<Host, GrpcWire>();
  const wireTo = (host: Host): GrpcWire => {
    const wire = wires.get(host) ?? grpcWire(grpc[host].split(',')[0]!);
    wires.set(host, wire);
    return wire;
  };
  const all = methods.flatMap((method) => {
    const host = method.hosts.find(runs);
    if (host === undefined || !isRegistered(method.rest.gate, hosted)) return [];
    const example = exampleOf(method, examples);
    const takesBody = method.http !== undefined && method.http.body !== '';
    return [
      ...(takesBody ? [overRest(method, example, host, attacked, agent)] : []),
      overGrpc(method, example, host, attacked, wireTo(host)),
    ];
  });
  return {
    all,
    [Symbol.dispose]: () => {
      agent.destroy();
      for (const wire of wires.values()) wire[Symbol.dispose]();
    },
  };
}

function overRest(
  method: Method, example: Example, host: Host, { platform, tokens, meant }: Attacked, agent: Agent,
): Target {
  const { input, http, rest } = method;
  const field = input.fields.find(({ name }) => name === http!.body);
  const inField = field?.fieldKind === 'message' ? field.message : undefined;
  const type: DescMessage | undefined = field === undefined ? input : inField;
  return {
    name: `REST ${http!.verb} ${http!.template}`,
    services: ['gateway', host],
    senders: sendersOf(method),
    prepare: async (shape, sender) => {
      const { verb, target: address } = await requestOf(method, { ...example, body: undefined }, meant);
      const isForm = rest.multipartOnly || rest.multipart && shape.parts.length === 1;
      const sent = isForm
        ? formFilling(type ?? input, shape)
        : { body: jsonBody(type, meantBy(meant, example.body ?? {}), shape), type: 'application/json' };
      const framing: Record<string, string> = shape.pieces === 1 ? {} : { 'transfer-encoding': 'chunked' };
      const given = { 'content-type': sent.type, ...framing, ...credentials(tokens[sender]) };
      const { target, headers } = choice(arounds, shape.around).item({ target: address, headers: given });
      const body = shape.pieces === 1 ? Buffer.from(sent.body) : inChunks(Buffer.from(sent.body), shape.pieces);
      const asked = { method: verb, url: platform.baseUrl + target, headers, body, within: longestRequest };
      return {
        bytes: body.length + target.length + JSON.stringify(headers).length,
        beginning: sent.body.slice(0, shownBytes).replaceAll(/\s+/g, ' '),
        send: () => exchange(agent, asked).then(({ status }) => String(status), () => 'cut'),
      };
    },
  };
}

function overGrpc(method: Method, example: Example, host: Host, { tokens, meant }: Attacked, wire: GrpcWire): Target {
  return {
    name: `gRPC ${method.fullName}`,
    services: [host],
    senders: sendersOf(method),
    prepare: async (shape, sender) => {
      const filling = wireFilling(method.input, shape);
      const first = Buffer.concat([messageOf(method, example, meant), filling]);
      const { headers: more, flag } = choice(metadata, shape.around).item;
      const headers = { ...credentials(tokens[sender]), ...more };
      const further = method.kind === 'client_streaming' ? furtherMessages(framed(filling, flag), shape) : [];
      const request = Buffer.concat([framed(first, flag), ...further]);
      return {
        bytes: request.length + JSON.stringify(headers).length,
        beginning: first.subarray(0, shownBytes).toString('base64'),
        send: () => wire.call(method.path, headers, request),
      };
    },
  };
}

/** The messages after the first one of a stream, in total no larger than a body. */
const furtherMessages = (message: Buffer, { pieces }: Shape) =>
  new Array<Buffer>(Math.min(pieces - 1, Math.floor(largest / message.length))).fill(message);

/**
 * Leaves out callers who may delete the objects of the examples. For streams the site admin sends too: a stream is
 * read beyond its first message only for permitted callers, and nothing changes before another call.
 */
function sendersOf({ http, kind }: Method): readonly Sender[] {
  if (kind === 'client_streaming') return [...attackers, 'site admin'];
  return http?.verb === 'DELETE' ? attackers.filter((sender) => sender !== 'owner') : attackers;
}

const credentials = (token: string | undefined): Readonly<Record<string, string>> =>
  (token === undefined ? {} : { authorization: `Bearer ${token}` });
