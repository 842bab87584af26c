import { clone, create, fromBinary, type MessageInitShape, setExtension, toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorSet, FileDescriptorSetSchema, type MethodDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { http } from '@platform/proto/options/google/api/annotations';
import { HttpRuleSchema } from '@platform/proto/options/google/api/http';
import {
  access, AccessSchema, Answer, each, EachSchema, faults, FaultsSchema, Gate, host, Makes, repeatable, rest, RestSchema, Scope,
  scope,
} from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';
import { readImage } from '@platform/proto/image';
import { grpcServices } from '@platform/service';
import { readSurface, statusOf } from './surface.ts';

const image = fromBinary(FileDescriptorSetSchema, await readImage());

/** Reads the API after changing the declarations in its files. */
function readChanged(change: (set: FileDescriptorSet) => void) {
  const changed = clone(FileDescriptorSetSchema, image);
  change(changed);
  return readSurface(toBinary(FileDescriptorSetSchema, changed));
}

function service(set: FileDescriptorSet, name: string) {
  return set.file.flatMap((file) => file.service).find((one) => one.name === name)!;
}

const method = (set: FileDescriptorSet, of: string, name: string): MethodDescriptorProto =>
  service(set, of).method.find((one) => one.name === name)!;

const bind = (one: MethodDescriptorProto, path: string) =>
  setExtension(one.options!, http, create(HttpRuleSchema, { pattern: { case: 'get', value: path } }));

describe('the list of the API', () => {
  it('has each method once, by its path, with its comment and what its options say', () => {
    const { methods, byPath } = readChanged(() => undefined);
    expect(byPath.size).toBe(methods.length);
    expect(byPath.get('/controlplane.orgs.v1.OrganizationService/CheckOwner')).toMatchObject({
      fullName: 'controlplane.orgs.v1.OrganizationService.CheckOwner', hosts: ['orgs-teams'], repeatable: true,
      http: { verb: 'GET', template: '/api/v1/orgs/{orgname}/is-owner', body: '', responseBody: '' },
      access: { who: 'token', account: { from: 'slug', field: 'orgname' } },
      comment: expect.stringMatching(/^Succeeds if the caller is an owner/),
    });
  });

  it('has a service that several apps serve on each of them, as the table of services says', () => {
    const { byPath } = readChanged(() => undefined);
    const hostsOf = (path: string) => byPath.get(path)?.hosts;
    expect(hostsOf('/controlplane.status.v1.StatusService/GetStatus')).toEqual(grpcServices.map(({ name }) => name));
    expect(hostsOf('/controlplane.owners.v1.OwnerService/CloseOwner')).toEqual(['clusters', 'contracts-licensing']);
    expect(hostsOf('/controlplane.facts.v1.FactService/Follow')).toEqual([
      'orgs-teams', 'clusters', 'contracts-licensing', 'billing-dashboard',
    ]);
  });

  it('explains a text or number of a request by the request above it that names the same', () => {
    const { registry, comments } = readChanged(() => undefined);
    const commentOf = (message: string, name: string) => {
      const { fields } = registry.getMessage(`controlplane.${message}`)!;
      return comments.of(fields.find((field) => field.name === name)!);
    };
    expect(commentOf('contracts.v1.RevokeContractRequest', 'id')).toBe('Id of the contract.');
    // A boolean field, or a field of a response, does not get the comment of an earlier field.
    expect(commentOf('orgs.v1.CreateWebhookRequest', 'active')).not.toBe('');
    expect(commentOf('orgs.v1.UpdateWebhookRequest', 'active')).toBe('');
    expect(commentOf('contracts.v1.Contract', 'id')).toBe('');
  });

  it('leaves out what is not ours: the standard services of gRPC', () => {
    const { methods, registry } = readChanged(() => undefined);
    expect(registry.getService('grpc.health.v1.Health')).toBeDefined();
    expect(methods.filter(({ fullName }) => !fullName.startsWith('controlplane.'))).toEqual([]);
  });
});

/** Sets the REST options of a method. */
const withRest = (name: string, init: MessageInitShape<typeof RestSchema>) => (set: FileDescriptorSet) => {
  const found = set.file.flatMap((file) => file.service).flatMap((one) => one.method).find((one) => one.name === name)!;
  setExtension(found.options!, rest, create(RestSchema, init));
};

/** Gives reasons of a method another status. */
const withStatuses = (...statuses: { reason: Reason; status: number }[]) => (set: FileDescriptorSet) =>
  setExtension(method(set, 'TeamService', 'GetTeam').options!, faults, create(FaultsSchema, { statuses }));

describe('the status of a reason', () => {
  it('is that of the list of reasons, or another one where the method says so', () => {
    const { byPath } = readChanged(withStatuses({ reason: Reason.MALFORMED_BODY, status: 400 }));
    expect(statusOf(byPath.get('/controlplane.orgs.v1.TeamService/GetTeam')!, 'MALFORMED_BODY')).toBe(400);
    expect(statusOf(byPath.get('/controlplane.orgs.v1.TeamService/GetTeam')!, 'NOT_FOUND')).toBe(404);
    expect(statusOf(byPath.get('/controlplane.orgs.v1.TeamService/CreateTeam')!, 'MALFORMED_BODY')).toBe(422);
  });
});

/** Sets a common access rule, gate and reason for the service of teams. */
const withEach = (change: (getTeam: MethodDescriptorProto) => void) => (set: FileDescriptorSet) => {
  const common = create(AccessSchema, { member: true, organization: 'team:{teamid}' });
  setExtension(service(set, 'TeamService').options!, each, create(EachSchema, { access: common, gate: Gate.DEV, reasons: [Reason.BAD_UPSTREAM] }));
  change(method(set, 'TeamService', 'GetTeam'));
};
const getTeam = '/controlplane.orgs.v1.TeamService/GetTeam';

describe('what the methods of a service have in common', () => {
  it('is added to an access rule without a stance, to methods without a gate and to the reasons', () => {
    const { byPath } = readChanged(withEach(({ options }) => {
      setExtension(options!, access, create(AccessSchema, { check: 'team:{teamid}#can_edit' }));
      setExtension(options!, faults, create(FaultsSchema, { reasons: [Reason.INVALID_VALUE] }));
    }));
    expect(byPath.get(getTeam)).toMatchObject({
      access: { who: 'member', account: { object: { fields: ['teamid'] } }, check: { relation: 'can_edit' } },
      rest: { gate: Gate.DEV }, faults: ['BAD_UPSTREAM', 'INVALID_VALUE'],
    });
  });

  it('is no part of a rule with a stance, and does not replace a gate', () => {
    const { byPath } = readChanged(withEach(({ options }) => {
      setExtension(options!, access, create(AccessSchema, { token: true }));
      setExtension(options!, rest, create(RestSchema, { gate: Gate.HOSTED }));
    }));
    expect(byPath.get(getTeam)).toMatchObject({
      access: { who: 'token', account: undefined, check: undefined }, rest: { gate: Gate.HOSTED },
    });
  });

  it('holds for methods without a rule when it is internal', () => {
    const { methods } = readChanged(() => undefined);
    const settle = methods.find(({ fullName }) => fullName === 'controlplane.orgs.v1.IdentityService.Settle');
    expect(settle?.access.who).toBe('internal');
  });
});

describe('what follows from the shape of a method', () => {
  it('is that a GET may be repeated, unless it says otherwise, and that an empty message is no body', () => {
    const { byPath } = readChanged((set) => setExtension(method(set, 'TeamService', 'GetTeam').options!, repeatable, false));
    const of = (name: string) => byPath.get(`/controlplane.orgs.v1.TeamService/${name}`)!;
    expect([of('GetTeam').repeatable, of('ListTeams').repeatable, of('DeleteTeam').repeatable]).toEqual([false, true, false]);
    expect([of('ListTeams').rest.answer, of('DeleteTeam').rest.answer]).toEqual([Answer.UNSPECIFIED, Answer.EMPTY]);
    expect([of('ListTeams').rest.paged, of('GetTeam').rest.paged]).toEqual([true, false]);
  });
});

describe('an API that must not start', () => {
  it.each<[string, (set: FileDescriptorSet) => void, RegExp]>([
    [
      'has a service of ours that nobody serves',
      (set) => setExtension(service(set, 'TeamService').options!, host, ''), /exactly one of controlplane.host and/,
    ],
    [
      'has a service of one app and of all',
      (set) => setExtension(service(set, 'StatusService').options!, host, 'authz'), /exactly one of controlplane.host/,
    ],
    [
      'lets people call what several apps serve',
      (set) => setExtension(method(set, 'OwnerService', 'CloseOwner').options!, access, create(AccessSchema, { token: true, tokenScope: Scope.USER })),
      /CloseOwner: a method that several apps serve must be internal/,
    ],
    [
      'has a service for people without a scope',
      (set) => setExtension(service(set, 'TeamService').options!, scope, Scope.UNSPECIFIED), /has no token_scope, and its/,
    ],
    [
      'binds two methods to one route with other parameter names',
      (set) => bind(method(set, 'TeamService', 'GetTeam'), '/api/v1/orgs/{teamid}/is-owner/'), /the same route/,
    ],
    [
      'binds an internal method',
      (set) => bind(method(set, 'IdentityService', 'GetStanding'), '/api/v1/standing'), /never bound to REST/,
    ],
    [
      'has a method that adds no check to the common rule of its service',
      withEach(({ options }) => setExtension(options!, access, create(AccessSchema))), /GetTeam: controlplane.access needs a check/,
    ],
    [
      'binds a method twice',
      (set) => {
        const rule = { pattern: { case: 'get', value: '/a' }, additionalBindings: [{ pattern: { case: 'get', value: '/b' } }] };
        setExtension(method(set, 'TeamService', 'GetTeam').options!, http, create(HttpRuleSchema, rule as never));
      },
      /a method can have only one binding/,
    ],
    [
      'binds a method to a verb of its own',
      (set) => {
        const rule = create(HttpRuleSchema, { pattern: { case: 'custom', value: { kind: 'SEARCH', path: '/a' } } });
        setExtension(method(set, 'TeamService', 'GetTeam').options!, http, rule);
      },
      /needs a plain verb/,
    ],
    [
      'has an access rule that contradicts itself',
      (set) => setExtension(
        method(set, 'TeamService', 'GetTeam').options!, access, create(AccessSchema, { token: true, public: true }),
      ),
      /GetTeam: controlplane.access must have exactly one/,
    ],
    [
      'makes something and does not say how',
      (set) => setExtension(method(set, 'TeamService', 'CreateTeam').options!, rest, create(RestSchema, { status: 201 })),
      /CreateTeam: a POST with status 201 must declare/,
    ],
    [
      'says that a GET makes something',
      (set) => setExtension(
        method(set, 'TeamService', 'GetTeam').options!, rest, create(RestSchema, { makes: Makes.AT_ONCE }),
      ),
      /GetTeam: only a POST method for signed-in callers/,
    ],
    ['answers the JSON of no message', withRest('GetGeneratedMonths', { json: 'a.Nothing' }), /which is not a message/],
    ['has rows and says of no JSON', withRest('GetTeam', { rows: { field: 'rows' } }), /rows needs json/],
    [
      'has rows that its JSON lacks',
      withRest('GetObjectsUsage', { json: 'controlplane.billing.v1.ObjectsUsageView', rows: { field: 'owner' } }),
      /has no field owner with a list of messages/,
    ],
    ['answers a refusal with a success', withStatuses({ reason: Reason.NOT_FOUND, status: 200 }), /not a status of a refusal/],
    ['repeats the usual status', withStatuses({ reason: Reason.NOT_FOUND, status: 404 }), /which the reason has by default/],
    [
      'gives a reason two statuses',
      withStatuses({ reason: Reason.NOT_FOUND, status: 400 }, { reason: Reason.NOT_FOUND, status: 403 }), /also another status/,
    ],
  ])('is one that %s', (_what, change, why) => {
    expect(() => readChanged(change)).toThrow(why);
  });
});
