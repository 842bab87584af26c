import type { DescMessage, DescMethod, DescService, FileRegistry } from '@bufbuild/protobuf';
import { createFileRegistry, fromBinary, getOption } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { HttpRule } from '@platform/proto/options/google/api/http';
import * as options from '@platform/proto/options/controlplane/options';
import { type Each, type Faults, Hosts, Makes, type Rest } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';
import { type GrpcService, grpcServices } from '@platform/service';
import { parseAccess } from './access.ts';
import type { AccessRule } from './parsed-access.ts';
import { type Comments, readComments } from './comments.ts';
import { readSettings } from './method-options.ts';
import { reasons } from './reasons.ts';

/** The REST binding of a method (`google.api.http`). */
export interface HttpBinding {
  verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{field}` segments, as declared. A trailing `{path=**}` takes the rest of the path. */
  template: string;
  /** `*`: the body is the request message. A name: the body is this field of the message. Empty: there is no body. */
  body: string;
  /** Whether the body is a `google.api.HttpBody`: any bytes of any content type. */
  rawBody: boolean;
  /** Field of the response message that becomes the HTTP body. Empty: the whole message becomes the body. */
  responseBody: string;
}

export interface Method {
  /** `service` and `name`, such as `controlplane.orgs.v1.OrganizationService.GetOrganization`. */
  fullName: string;
  /** The gRPC path, such as `/controlplane.orgs.v1.OrganizationService/GetOrganization`. */
  path: string;
  name: string;
  service: string;
  /** Apps that serve the method; only an internal method can have more than one. */
  hosts: readonly string[];
  kind: 'unary' | 'server_streaming' | 'client_streaming';
  input: DescMessage;
  output: DescMessage;
  http: HttpBinding | undefined;
  rest: Rest;
  /** Describes the JSON in a `google.api.HttpBody` response; undefined unless `controlplane.rest.json` is set. */
  json: DescMessage | undefined;
  access: AccessRule;
  /** Reasons for refusals by this method, besides the reasons that follow from its access rule and shape. */
  faults: readonly string[];
  /** Reasons that follow from the access rule and shape of the method, although the method never refuses with them. */
  neverAnswers: readonly string[];
  /** HTTP status by reason, only for reasons with an unusual status in this method; see {@link statusOf}. */
  statuses: ReadonlyMap<string, number>;
  repeatable: boolean;
  deprecated: boolean;
  comment: string;
}

export interface Surface {
  methods: readonly Method[];
  byPath: ReadonlyMap<string, Method>;
  registry: FileRegistry;
  comments: Comments;
}

/** Surfaces by image. Reading a surface is slow, and several parts of a process need it. */
const known = new WeakMap<Uint8Array, Surface>();

/**
 * Reads the API from a descriptor image (see `@platform/proto/image`). Each image is read only once.
 * @throws Error if the API must not be served, for example if a method has no valid access rule, or if two methods have
 *   the same route
 */
export function readSurface(image: Uint8Array): Surface {
  const surface = known.get(image) ?? makeSurface(image);
  known.set(image, surface);
  return surface;
}

function makeSurface(image: Uint8Array): Surface {
  const set: FileDescriptorSet = fromBinary(FileDescriptorSetSchema, image);
  const registry = createFileRegistry(set);
  const comments = readComments(set);
  const methods: Method[] = [];
  for (const type of registry) {
    if (type.kind !== 'service') continue;
    const hosts = readHosts(type);
    const common = getOption(type, options.each);
    if (hosts.length === 0) continue;
    methods.push(...type.methods.map((method) => readMethod(method, hosts, common, { comments, registry })));
  }
  refuseDoubleRoutes(methods);
  return { methods, byPath: new Map(methods.map((method) => [method.path, method])), registry, comments };
}

/** The apps that serve a service; empty for services outside `controlplane`, such as the standard services of gRPC. */
function readHosts(service: DescService): readonly string[] {
  const host = getOption(service, options.host);
  const shared = getOption(service, options.hosts);
  if ((host === '') === (shared === Hosts.UNSPECIFIED)) {
    if (host === '' && !service.file.proto.package.startsWith('controlplane.')) return [];
    throw new Error(`${service.typeName}: exactly one of controlplane.host and controlplane.hosts is needed`);
  }
  if (host !== '') return [host];
  const serve = ({ owns, publishes, leases }: GrpcService) =>
    (shared !== Hosts.OWNERS || owns !== undefined) && (shared !== Hosts.PUBLISHERS || publishes !== undefined)
    && (shared !== Hosts.AUTHORITIES || leases === true);
  return grpcServices.filter(serve).map(({ name }) => name);
}

function readMethod(
  method: DescMethod, hosts: readonly string[], common: Each,
  { comments, registry }: Pick<Surface, 'comments' | 'registry'>,
): Method {
  const { parent: service, name, input, output, deprecated, methodKind: kind } = method;
  const fullName = `${service.typeName}.${name}`;
  const { rest, repeatable, ...settings } = readSettings(method, common);
  const http = settings.http && readBinding(settings.http, method, fullName);
  const scope = getOption(service, options.scope);
  const access = parseAccess(method, settings.access, { scope, verb: http?.verb });
  if (access.who === 'internal' && http) throw new Error(`${fullName}: an internal method is never bound to REST`);
  if (access.who !== 'internal' && hosts.length > 1) throw new Error(`${fullName}: a method that several apps serve must be internal`);
  if (kind === 'bidi_streaming') throw new Error(`${fullName}: a method streams its requests or its responses, not both`);
  if (kind === 'client_streaming' && http) throw new Error(`${fullName}: a client stream is never bound to REST`);
  const isSignedIn = access.who === 'token' || access.who === 'member';
  if (rest.makes !== Makes.UNSPECIFIED && (http?.verb !== 'POST' || !isSignedIn)) {
    throw new Error(`${fullName}: only a POST method for signed-in callers can set controlplane.rest.makes`);
  }
  if (rest.makes === Makes.UNSPECIFIED && rest.status === 201 && http?.verb === 'POST' && isSignedIn) {
    throw new Error(`${fullName}: a POST with status 201 must declare controlplane.rest.makes`);
  }
  return {
    fullName, name, kind, hosts, input, output, http, rest, access, repeatable, deprecated,
    path: `/${service.typeName}/${name}`,
    service: service.typeName,
    json: readJsonAnswer(rest, registry, fullName),
    ...readFaults(settings.faults, fullName),
    comment: comments.of(method),
  };
}

/**
 * Returns the message that `rest.json` names, and sets `rest.mediaType` and, if rows are declared, `rest.rows.type`.
 * Returns undefined if `rest.json` is empty.
 * @throws Error if the message or its list of rows does not exist, or if rows are declared without `rest.json`
 */
function readJsonAnswer(rest: Rest, registry: FileRegistry, fullName: string): DescMessage | undefined {
  if (rest.json === '') {
    if (rest.rows === undefined) return undefined;
    throw new Error(`${fullName}: controlplane.rest.rows needs json`);
  }
  const json = registry.getMessage(rest.json);
  if (json === undefined) throw new Error(`${fullName}: controlplane.rest.json names ${rest.json}, which is not a message`);
  rest.mediaType = 'application/json';
  if (rest.rows !== undefined) {
    const rows = json.fields.find(({ jsonName }) => jsonName === rest.rows!.field);
    if (rows?.fieldKind !== 'list' || rows.message === undefined) {
      throw new Error(`${fullName}: ${rest.json} has no field ${rest.rows.field} with a list of messages`);
    }
    rest.rows.type = rows.message.typeName;
  }
  return json;
}

/** Returns the HTTP status with which a method refuses for a reason. */
export function statusOf({ statuses }: Pick<Method, 'statuses'>, reason: string): number {
  return statuses.get(reason) ?? reasons.get(reason)!.httpStatus;
}

function readFaults(declared: Faults, fullName: string): Pick<Method, 'faults' | 'neverAnswers' | 'statuses'> {
  const statuses = new Map<string, number>();
  for (const { reason, status } of declared.statuses) {
    const name = Reason[reason];
    const wrong = (why: string) => new Error(`${fullName}: controlplane.faults gives ${name} the status ${status}, ${why}`);
    if (status < 400 || status > 599) throw wrong('which is not a status of a refusal');
    if (reasons.get(name)?.httpStatus === status) throw wrong('which the reason has by default');
    if (statuses.has(name)) throw wrong('and also another status');
    statuses.set(name, status);
  }
  const names = (values: readonly Reason[]) => values.map((reason) => Reason[reason]);
  return { faults: names(declared.reasons), neverAnswers: names(declared.never), statuses };
}

function readBinding(rule: HttpRule, method: DescMethod, fullName: string): HttpBinding {
  const { case: kind, value } = rule.pattern;
  if (kind === undefined || kind === 'custom') {
    throw new Error(`${fullName}: google.api.http needs a plain verb: get, put, post, delete or patch`);
  }
  if (rule.additionalBindings.length > 0) throw new Error(`${fullName}: a method can have only one binding to REST`);
  return {
    verb: kind.toUpperCase() as HttpBinding['verb'],
    template: value,
    body: rule.body,
    rawBody: method.input.fields.find(({ name }) => name === rule.body)?.message?.typeName === 'google.api.HttpBody',
    responseBody: rule.responseBody,
  };
}

/** Refuses methods with the same verb and template. Names of parameters and a `/` at the end make no difference. */
function refuseDoubleRoutes(methods: readonly Method[]): void {
  const seen = new Map<string, string>();
  for (const { http, fullName } of methods) {
    if (!http) continue;
    const route = `${http.verb} ${http.template.replace(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1')}`;
    const other = seen.get(route);
    if (other) throw new Error(`${fullName} and ${other} are bound to the same route ${route}`);
    seen.set(route, fullName);
  }
}
