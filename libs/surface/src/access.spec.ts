import { create, createFileRegistry, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { AccessSchema, AccountRight, Scope } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';
import { parseAccess } from './access.ts';
import { type AccessRule, fieldsOfAccess, relationsOfCheck } from './parsed-access.ts';
import { coversScope, tokenScopes } from './scopes.ts';

type Declared = MessageInitShape<typeof AccessSchema>;

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await readImage()));
/** The request of this method has the fields orgname, teamid, action and uid. */
const method = registry.getService('controlplane.orgs.v1.TeamMemberService')!.method['changeMembership']!;

const bound = { scope: Scope.ORGANIZATION, verb: 'POST' };
const parse = (access: Declared): AccessRule => parseAccess(method, create(AccessSchema, access), bound);

const actions = [{ name: 'join', relation: 'can_add_member', orSelf: 'uid' }, { name: 'add', relation: 'can_add_member' }];

describe('what an access rule means', () => {
  it.each(['internal', 'anonymous', 'public', 'token'] as const)('%s alone asks for nothing else', (who) => {
    expect(parse({ [who]: true })).toEqual({
      who, account: undefined, right: undefined, check: undefined, scope: undefined,
      tokenScope: who === 'internal' || who === 'anonymous' ? undefined : 'write:organization',
    });
  });

  it('the acting account comes from a name, or is the owner of an object', () => {
    expect(parse({ member: true, organization: 'orgname' }).account).toEqual({
      from: 'slug', field: 'orgname', optional: false, orUser: false,
    });
    expect(parse({ token: true, organization: 'orgname', organizationOptional: true, orUser: true }).account).toEqual({
      from: 'slug', field: 'orgname', optional: true, orUser: true,
    });
    expect(parse({ member: true, organization: 'team:{teamid}' }).account).toEqual({
      from: 'object', object: { type: 'team', fields: ['teamid'], withinAccount: false }, orUser: false,
      stranger: 'NOT_FOUND',
    });
  });

  it('a check names a relation on the account, on an object by its id, or on the site', () => {
    const { check } = parse({ token: true, organization: 'orgname', check: 'team:{teamid}#can_view' });
    expect(check).toMatchObject({
      type: 'team', object: { type: 'team', fields: ['teamid'], withinAccount: false }, relation: 'can_view',
      actionField: undefined, missing: 'NOT_FOUND',
    });
    expect(parse({ token: true, organization: 'orgname', check: 'organization:{orgname}#owner' }).check).toMatchObject({
      type: 'organization', object: undefined, relation: 'owner',
    });
    expect(parse({ token: true, check: 'site:main#can_admin_view_claims' }).check).toMatchObject({
      type: 'site', object: undefined, relation: 'can_admin_view_claims',
    });
  });

  it('an object may be named within the account, by one name or more', () => {
    const named = (check: string) => parse({ token: true, organization: 'orgname', orUser: true, check }).check?.object;
    expect(named('cluster:{orgname}/{action}#can_view')).toEqual({
      type: 'cluster', fields: ['action'], withinAccount: true,
    });
    expect(named('clusterset:{orgname}/{action}/{uname}#can_view')).toEqual({
      type: 'clusterset', fields: ['action', 'uname'], withinAccount: true,
    });
  });

  it('a missing object may have a refusal of its own', () => {
    const check = 'contract:{teamid}#can_view';
    const rule = parse({ token: true, organization: 'orgname', check, missing: Reason.FORBIDDEN });
    expect(rule.check?.missing).toBe('FORBIDDEN');
  });

  it('another relation may be needed where the request asks for more', () => {
    const { check } = parse({
      token: true, organization: 'orgname', check: 'organization:{orgname}#can_create_license_proxy',
      instead: [{ given: ['uid', 'uname'], relation: 'can_issue_license' }],
    });
    expect(check?.instead).toEqual([{ given: ['uid', 'uname'], relation: 'can_issue_license' }]);
    expect(relationsOfCheck(check!)).toEqual(['can_create_license_proxy', 'can_issue_license']);
  });

  it('the relation may depend on what a field asks for', () => {
    const { check } = parse({ token: true, organization: 'orgname', check: 'team:{teamid}#{action}', actions });
    expect(check).toMatchObject({ relation: undefined, actionField: 'action' });
    expect([...check!.actions]).toEqual([
      ['join', { relation: 'can_add_member', orSelf: 'uid' }], ['add', { relation: 'can_add_member', orSelf: undefined }],
    ]);
  });

  it('a right of the account brings its own refusal', () => {
    expect(parse({ token: true, right: AccountRight.CREATE_ORGANIZATIONS }).right).toEqual({
      number: 1, name: 'create_organizations', refusal: 'ORG_CREATION_DENIED',
    });
  });

  it('all fields it looks at are known, and no others', () => {
    const rule = parse({ token: true, organization: 'orgname', check: 'team:{teamid}#{action}', actions });
    expect([...fieldsOfAccess(rule)].sort()).toEqual(['action', 'orgname', 'teamid', 'uid']);
    expect(fieldsOfAccess(parse({ token: true })).size).toBe(0);
  });
});

describe('the scope that a token needs (open-points 18.2)', () => {
  const scopeOf = (declared: Declared, verb: string | undefined, scope = Scope.CONTRACT) =>
    parseAccess(method, create(AccessSchema, declared), { scope, verb }).tokenScope;

  it('is for reading where the method is bound to GET, else for writing', () => {
    expect(scopeOf({ token: true }, 'GET')).toBe('read:contract');
    expect(scopeOf({ public: true }, 'PATCH')).toBe('write:contract');
    expect(scopeOf({ token: true }, undefined)).toBe('write:contract');
  });

  it('is that of the access rule, where it names one', () => {
    expect(scopeOf({ token: true, tokenScope: Scope.METRICS }, 'GET')).toBe('read:metrics');
    expect(scopeOf({ token: true, tokenScope: Scope.METRICS }, 'GET', Scope.UNSPECIFIED)).toBe('read:metrics');
  });

  it('is undefined where the access rule accepts any scope', () => {
    expect(scopeOf({ token: true, anyScope: true }, 'GET')).toBeUndefined();
    expect(scopeOf({ token: true, anyScope: true }, 'GET', Scope.UNSPECIFIED)).toBeUndefined();
  });

  it.each(['public', 'token'] as const)('must be there for %s', (who) => {
    expect(() => scopeOf({ [who]: true }, 'GET', Scope.UNSPECIFIED)).toThrow(/has no token_scope, and its service has no/);
  });

  it('covers what is read with what is written, and nothing else', () => {
    const covered = (held: string) => tokenScopes.filter((needed) => coversScope([held], needed));
    expect(covered('read:user')).toEqual(['read:user']);
    expect(covered('write:user')).toEqual(['read:user', 'write:user']);
    expect(covered('all')).toEqual(tokenScopes);
    expect(tokenScopes).toHaveLength(15);
  });
});

describe('a rule that must not start', () => {
  it('is one that is not there', () => {
    expect(() => parseAccess(method, undefined, bound)).toThrow(/ChangeMembership: controlplane.access is missing/);
  });

  it.each<[string, Declared, RegExp]>([
    ['says nothing', {}, /exactly one of/],
    ['says two things', { token: true, member: true }, /exactly one of/],
    ['names an organization by a field that is not there', { member: true, organization: 'org' }, /names the field org/],
    ['names an object by a field that is not there', { member: true, organization: 'team:{id}' }, /names the field id/],
    ['is for services, and has a scope', { internal: true, tokenScope: Scope.USER }, /must not have token_scope/],
    ['ignores credentials, and has a scope', { anonymous: true, tokenScope: Scope.USER }, /must not have token_scope/],
    ['ignores credentials, and takes any scope', { anonymous: true, anyScope: true }, /must have public/],
    ['takes any scope, and one', { token: true, anyScope: true, tokenScope: Scope.USER }, /must not have token_scope/],
    ['wants members of nothing', { member: true }, /must name the organization/],
    ['is for services, and has an organization', { internal: true, organization: 'orgname' }, /no organization/],
    ['ignores credentials, and has an organization', { anonymous: true, organization: 'orgname' }, /no organization/],
    ['has an optional organization, and is public', { public: true, organization: 'orgname', organizationOptional: true }, /token or member/],
    ['lets a user act, and names nobody', { token: true, orUser: true }, /must name the organization/],
    [
      'names an object by two ids',
      { token: true, organization: 'orgname', check: 'contract:{teamid}/{uid}#can_view' }, /by its id, or by the field/,
    ],
    [
      'names an object by its account alone',
      { token: true, organization: 'orgname', check: 'contract:{orgname}#can_view' }, /by its id, or by the field/,
    ],
    [
      'refuses a missing object, and checks none',
      { token: true, organization: 'orgname', check: 'organization:{orgname}#owner', missing: Reason.FORBIDDEN },
      /must check an object/,
    ],
    ['needs another relation instead of none', { token: true, instead: [{ given: ['uid'], relation: 'owner' }] }, /must have a check/],
    [
      'needs another relation for nothing',
      { token: true, organization: 'orgname', check: 'organization:{orgname}#owner', instead: [{ relation: 'member' }] },
      /must name the fields/,
    ],
    ['has an optional organization, and none', { token: true, organizationOptional: true }, /organization_optional/],
    [
      'has an optional organization, and takes it from an object',
      { token: true, organization: 'team:{teamid}', organizationOptional: true }, /organization_optional/,
    ],
    ['has a check of another form', { token: true, organization: 'orgname', check: 'team#can_view' }, /of the form/],
    ['checks without an organization', { token: true, check: 'team:{teamid}#can_view' }, /must name the organization/],
    ['checks one object of many', { token: true, organization: 'orgname', check: 'team:main#can_view' }, /site:main/],
    ['checks a site by a field', { token: true, check: 'site:{teamid}#can_view' }, /site:main/],
    ['checks anybody', { public: true, organization: 'orgname', check: 'team:{teamid}#can_view' }, /token or member/],
    [
      'checks another organization than the acting one',
      { token: true, organization: 'orgname', check: 'organization:{teamid}#owner' }, /by the field that names it/,
    ],
    [
      'checks another object than the one that names the organization',
      { token: true, organization: 'team:{teamid}', check: 'role:{uid}#can_view' }, /by which it names/,
    ],
    ['has actions without a check', { token: true, actions }, /must have a check/],
    [
      'has actions, and one relation',
      { token: true, organization: 'orgname', check: 'team:{teamid}#can_view', actions }, /must list actions/,
    ],
    [
      'depends on a field, and lists no actions',
      { token: true, organization: 'orgname', check: 'team:{teamid}#{action}' }, /must list actions/,
    ],
    [
      'has an action for a field that is not there',
      {
        token: true, organization: 'orgname', check: 'team:{teamid}#{action}',
        actions: [{ name: 'join', relation: 'can_add_member', orSelf: 'id' }],
      },
      /names the field id/,
    ],
    ['asks nobody for a right', { public: true, right: AccountRight.CREATE_ORGANIZATIONS }, /asks for a right/],
    ['asks for a right that is not known', { token: true, right: 999 as AccountRight }, /unknown right/],
  ])('is one that %s', (_what, access, why) => {
    expect(() => parse(access)).toThrow(why);
  });
});
