import { expect, it } from '@jest/globals';
import { AccountRight } from '@platform/proto/options';
import { accountRights, type RightsRow } from './account-rights.ts';

const person: RightsRow = {
  kind: 'person', isAdmin: false, mayCreateOrganization: true, isClientOrganizationUser: false,
};

it.each<[string, Partial<RightsRow>, boolean, boolean]>([
  ['a person', {}, true, true],
  ['a person, where creating is switched off', {}, false, false],
  ['a person without the flag', { mayCreateOrganization: false }, true, false],
  ['a user of a client organization', { isClientOrganizationUser: true }, true, false],
  ['a site admin without the flag', { isAdmin: true, mayCreateOrganization: false }, false, true],
  ['a site admin in a client organization', { isAdmin: true, isClientOrganizationUser: true }, true, true],
  ['the system admin of an organization', { kind: 'system_admin' }, true, false],
])('whether %s creates organizations (open-points 3.1)', (_who, account, allowCreate, held) => {
  const whyNot = accountRights({ allowCreate })(AccountRight.CREATE_ORGANIZATIONS, { ...person, ...account });
  expect(whyNot === undefined).toBe(held);
});

it('a right that is not known is nobody\'s but a site admin\'s', () => {
  const whyNot = accountRights({ allowCreate: true });
  expect(whyNot(AccountRight.UNRECOGNIZED, person)).toEqual(expect.any(String));
  expect(whyNot(AccountRight.UNRECOGNIZED, { ...person, isAdmin: true })).toBeUndefined();
});
