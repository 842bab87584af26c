import { describe, expect, it } from '@jest/globals';
import { cookieRules, readCookie, readSessionCookie } from './cookies.ts';

describe('cookie rules', () => {
  it.each([
    ['https://platform.example.org', '__Host-session', true],
    ['https://platform.example.org/console', '__Host-session', true],
    ['http://127.0.0.1:8080', 'session-8080', true],
    ['http://localhost', 'session-80', true],
    ['http://[::1]:9', 'session-9', true],
    ['http://platform.example.org', 'session-80', false],
    ['http://127.evil.example', 'session-80', false],
  ])('of %s name the cookie %s; offered: %s', (baseUrl, name, areOffered) => {
    const rules = cookieRules(baseUrl);
    expect([rules.nameOf('session'), rules.areOffered]).toEqual([name, areOffered]);
  });

  it('keep it from scripts and from other sites', () => {
    expect(cookieRules('https://a.example').set('session', 'x', 0))
      .toBe('__Host-session=x; HttpOnly; Secure; SameSite=Lax; Path=/');
    expect(cookieRules('http://localhost:1').set('sign-in', '', 600))
      .toBe('sign-in-1=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0');
    expect(cookieRules('https://a.example').set('sign-in', 'x', 600)).toMatch(/; Max-Age=600$/);
  });
});

it.each([
  ['a=1; session-1=x', 'x'], ['session-1=x;session-1=x', 'x'], ['session-1=x; session-1=y', undefined],
  ['session-11=x', undefined], ['xsession-1=x', undefined], ['session-1', undefined], ['session-1=', ''], ['', undefined],
])('of %s the session is %s', (cookie, value) => {
  expect(readCookie({ cookie }, 'session-1')).toBe(value);
});

describe('the cookie of a session', () => {
  const rules = cookieRules('https://platform.example.org:8443');
  const origins = [
    undefined, 'null', 'https://platform.example.org:8443', 'https://platform.example.org', 'http://platform.example.org:8443',
    'https://evil.example', 'https://platform.example.org:8443.evil.example', 'https://platform.example.org:8443, https://evil.example',
  ];
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'same-origin, cross-site', 'Same-Origin'];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
  const names = ['__Host-session', 'session', '__Secure-session', 'session-8443', '__host-session'];
  const combinations = origins.flatMap((origin) => sites.flatMap((site) =>
    methods.flatMap((method) => names.map((name) => ({ origin, site, method, name })))));

  it(`counts in those of ${combinations.length} combinations that pages of the platform send, and in no other`, () => {
    const counted = combinations.filter(({ origin, site, method, name }) => readSessionCookie({
      method,
      headers: { cookie: `${name}=x`, ...(origin && { origin }), ...(site && { 'sec-fetch-site': site }) },
    }, rules) !== undefined);
    const ownPage = 'https://platform.example.org:8443';
    expect(counted).toHaveLength(origins.length * 3 + 5);
    for (const { origin, site, method, name } of counted) {
      expect(name).toBe('__Host-session');
      if (site === 'none') expect(method).toBe('GET');
      else expect(site).toBe('same-origin');
      if (method !== 'GET' && method !== 'HEAD') expect(origin).toBe(ownPage);
    }
  });
});
