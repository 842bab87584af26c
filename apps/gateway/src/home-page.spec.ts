import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Home, homePage } from './home-page.ts';

const inside: Home['inside'] = {
  deploymentType: 'Hosted',
  replicas: [
    { name: 'orgs-teams', address: '127.0.0.1:4001', state: 'up' },
    { name: 'authz', address: '127.0.0.1:4002', state: 'away' },
  ],
  recent: { answered: 90, refused: 3, failed: 1, routes: [{ route: '/api/v1/<b>', answered: 90 }] },
  metrics: '127.0.0.1:9090',
};

const textOf = (home: Home) => String(homePage(home).body);

test('everybody learns what runs here, and nothing of what it runs on', () => {
  const page = textOf({ version: 'v1.2.3', isUp: true });
  for (const shown of ['Platform', 'v1.2.3', 'Up', '/api/swagger', '/api/v1/openapi.json']) expect(page).toContain(shown);
  for (const hidden of ['Services', 'orgs-teams', '127.0.0.1', 'run mode']) expect(page).not.toContain(hidden);
  expect(textOf({ version: 'v1.2.3', isUp: false })).toContain('Not ready');
});

test('in run mode dev it shows the services and the requests of the last minute, escaped', () => {
  const page = textOf({ version: 'v1.2.3', isUp: true, inside });
  for (const shown of ['127.0.0.1:4001', 'away', '1.5', 'http://127.0.0.1:9090/metrics', '/api/v1/&lt;b&gt;']) {
    expect(page).toContain(shown);
  }
  expect(page).not.toContain('<b>');
});

test('the page runs no script, loads nothing, and allows just its own style', () => {
  const { headers, body } = homePage({ version: 'v1.2.3', isUp: true, inside });
  const page = String(body);
  expect(page).not.toMatch(/<script|<img|<iframe|@import|url\(| on\w+=| style=/i);
  expect([...page.matchAll(/\bsrc=|<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['data:,']);
  const [, style] = /<style>([^]*?)<\/style>/.exec(page)!;
  const policy = headers.find(([name]) => name === 'Content-Security-Policy')![1];
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});
