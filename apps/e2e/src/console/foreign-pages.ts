import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { type Page, until } from '@platform/testing';
import type { ConsoleWorld } from './console-world.ts';

const paths = [
  '/api/v1/user', '/api/v1/orgs', '/api/v1/user/sessions', '/auth/session', '/auth/sign-out', '/metrics-proxy/1/1',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
const modes = ['cors', 'no-cors'];

/** Requests that a page can send to another origin without user action. Each script ends when its request was sent. */
function attemptsAt(base: string): readonly string[] {
  const quoted = (path: string) => JSON.stringify(base + path);
  const loaded = `new Promise((done) => {
    it.onload = it.onerror = done;
    setTimeout(done, 5_000);
    document.body.append(it);
  })`;
  const fetches = paths.flatMap((path) => methods.flatMap((method) => modes.map((mode) => {
    const body = method === 'GET' || method === 'HEAD' ? '' : ", body: '{}'";
    const asked = `{ method: '${method}', mode: '${mode}', credentials: 'include'${body} }`;
    return `fetch(${quoted(path)}, ${asked}).catch(() => undefined)`;
  })));
  const json = paths.map((path) => `fetch(${quoted(path)}, {
    method: 'POST', credentials: 'include', body: '{}', headers: { 'content-type': 'application/json' },
  }).catch(() => undefined)`);
  const elements = paths.flatMap((path) => ['img', 'script', 'iframe', 'embed'].map((tag) =>
    `(() => { const it = document.createElement('${tag}'); it.src = ${quoted(path)}; return ${loaded}; })()`));
  const framedForms = paths.flatMap((path) => types.map((type) => `(() => {
    const it = document.createElement('iframe');
    it.name = 'framed';
    const sent = new Promise((done) => { it.onload = done; setTimeout(done, 5_000); });
    document.body.append(it);
    ${formOf(quoted(path), type, 'framed')}
    return sent.finally(() => it.remove());
  })()`));
  const beacons = paths.map((path) => `navigator.sendBeacon(${quoted(path)}, '{}')`);
  const sockets = paths.map((path) => `new Promise((done) => {
    const socket = new WebSocket(${quoted(path)}.replace('http', 'ws'));
    socket.onopen = () => { window.opened = true; done(); };
    socket.onerror = done;
  })`);
  return [...fetches, ...json, ...elements, ...framedForms, ...beacons, ...sockets];
}

function formOf(action: string, type: string, target: string): string {
  return `
    const form = Object.assign(document.createElement('form'), {
      action: ${action}, method: 'POST', enctype: '${type}', target: '${target}',
    });
    const field = Object.assign(document.createElement('input'), { name: '{"username":"', value: 'taken"}' });
    form.append(field);
    document.body.append(form);
    form.submit();`;
}

/** Whether a page sent a request. The console asks for its session again when it is shown again after a minute. */
function isOf(page: Page, request: { frame(): { page(): Page } }): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    // The request opens a page that has no frame yet.
    return false;
  }
}

/** Pages of other origins send requests with the cookie of a person; the platform ignores it (open-points 18.3). */
export async function foreignPagesAsk(world: ConsoleWorld): Promise<void> {
  const { baseUrl } = world.platform;
  const { page: own } = await world.visit(world.owner);
  const context = own.context();
  const organizations = await world.owner.http.get('/api/v1/user/orgs');
  const accepted: string[] = [];
  let answers = 0;
  context.on('response', (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== baseUrl || isOf(own, response.request())) return;
    answers += 1;
    if (response.status() < 400) accepted.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body></body>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let tried = 0;
  try {
    // The same site with another port, and another site.
    for (const elsewhere of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const page = await context.newPage();
      for (const attempt of attemptsAt(baseUrl)) {
        if (new URL(page.url()).origin !== elsewhere) await page.goto(elsewhere);
        await page.evaluate(attempt);
        tried += 1;
      }
      expect(await page.evaluate('window.opened')).toBeUndefined();
      tried += await navigations(page, elsewhere, baseUrl);
      await page.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expect(accepted).toEqual([]);
  expect(tried).toBeGreaterThan(250);
  // The browser itself blocks the other attempts: its preflight request gets no permission.
  expect(answers).toBeGreaterThan(100);
  // The person is still signed in, and nothing was created.
  await own.reload();
  const isIn = async () => await own.getByRole('navigation').count() > 0;
  await until(isIn, { within: 30_000, what: 'the console is there' });
  expect((await world.owner.http.get('/api/v1/user/orgs')).text).toBe(organizations.text);
}

/** Navigates from a page of another origin to paths of the platform, by a link and by forms. Returns how often. */
async function navigations(page: Page, elsewhere: string, base: string): Promise<number> {
  const ways = [
    (path: string) => `location.assign(${JSON.stringify(base + path)})`,
    ...types.map((type) => (path: string) => `(() => { ${formOf(JSON.stringify(base + path), type, '_self')} })()`),
  ];
  for (const path of paths) {
    for (const way of ways) {
      await page.goto(elsewhere);
      await Promise.all([page.waitForURL((url) => url.origin === base), page.evaluate(way(path))]);
    }
  }
  return paths.length * ways.length;
}
