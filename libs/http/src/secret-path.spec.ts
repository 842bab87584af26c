import { describe, expect, it } from '@jest/globals';
import { loggedPath } from './secret-path.ts';

const code = 'c0de';

describe('the path of a request in the log', () => {
  it.each([
    `/auth/sign-in/mail/${code}`, `/auth/sign-up/${code}`, `/auth/invitation/${code}/`, `/auth/link/${code}`,
    `/links/installer/7/name/8-${code}/archive.tar.gz`, `/links/invitation/${code}`, `/api/v1/orgs/claim/${code}`,
    `/marketplace/api/v1/marketplaces/standalone-organizations/${code}/claimable`,
    `http://platform.example.org/auth/link/${code}`, `HTTP://platform.example.org/links/${code}`, `//auth/link/${code}`,
    `/%61uth/link/${code}`, `/auth%2Flink/${code}`, `/AUTH/link/${code}`, `/auth/link/${code}%`, `/sign-in#mail=${code}`,
  ])('never has the code of %s', (target) => {
    expect(loggedPath(target, 'the route')).not.toContain(code);
  });

  it.each([
    ['/api/v1/orgs/acme', '/api/v1/orgs/acme'], ['/authors', '/authors'], ['/a%20b', '/a%20b'],
    ['http://platform.example.org/livez', '/livez'], ['*', '*'], [`/${'a'.repeat(300)}`, `/${'a'.repeat(199)}`],
  ])('of %s is what was asked for', (target, path) => {
    expect(loggedPath(target, 'the route')).toBe(path);
  });
});
