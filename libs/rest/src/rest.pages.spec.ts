import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Fault } from '@platform/faults';
import { type Answer, createRouter, page, pageRoute, type Router, skipWrites } from '@platform/http';
import { createLogger } from '@platform/service';
import { http } from '@platform/testing';
import { startTestRest, type TestRestOptions } from '../testdata/test-rest.ts';

const plainNotFound = '{"message":"Not Found"}';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const showing = (body: string) => (): Answer => ({ status: 200, headers: [], body });

/** Starts a server with these pages. `lines` are the lines of its log. */
async function serving(pages: Router, serve: TestRestOptions['serve'] = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service: 'gateway', destination });
  const running = await startTestRest({ serve: { pages, log, ...serve } });
  return { client: http(running.baseUrl), lines, running, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

test('a page has GET and HEAD, and refuses other methods as methods of the API do', async () => {
  const pages = createRouter();
  pageRoute(pages, '/a').get(page(showing('a')));
  await using server = await serving(pages);
  const { client, lines } = server;
  const answers = new Map<string, Awaited<ReturnType<typeof client.get>>>();
  for (const method of methods) answers.set(method, await client.send(method, '/a'));
  expect([...answers].map(([method, { status, header }]) => [method, status, header('allow')])).toEqual([
    ['GET', 200, undefined], ['HEAD', 200, undefined], ['POST', 405, 'GET, HEAD'], ['PUT', 405, 'GET, HEAD'],
    ['DELETE', 405, 'GET, HEAD'], ['OPTIONS', 204, 'GET, HEAD'], ['TRACE', 405, 'GET, HEAD'], ['PROPFIND', 405, 'GET, HEAD'],
  ]);
  expect([answers.get('GET')!.text, answers.get('HEAD')!.text, answers.get('OPTIONS')!.text]).toEqual(['a', '', '']);
  expect(answers.get('HEAD')!.header('content-length')).toBe('1');
  for (const answer of answers.values()) {
    expect([answer.header('x-request-id'), answer.header('x-content-type-options')]).toEqual([expect.any(String), 'nosniff']);
  }
  const [refused, ofTheApi] = [answers.get('POST')!, await client.post('/api/v1/whoami')];
  const bodyOf = (answer: typeof refused) => ({ ...answer.json<object>(), requestId: '' });
  expect(bodyOf(refused)).toEqual(bodyOf(ofTheApi));
  const routes = ['/a', '/a', ...methods.slice(2).map(() => 'unmatched')];
  expect(lines.slice(0, methods.length).map(({ route }) => route)).toEqual(routes);
});

test('a path of a page is case-sensitive, may end with a slash, and other paths are the plain 404', async () => {
  const pages = createRouter();
  pageRoute(pages, '/a').get(page(showing('a')));
  await using server = await serving(pages);
  const { client } = server;
  expect((await client.get('/a/')).text).toBe('a');
  for (const path of ['/A', '/a/b', '/b', '/a//', '/%', '/a%']) {
    for (const method of methods.filter((one) => one !== 'HEAD')) {
      const answer = await client.send(method, path);
      expect([path, answer.status, answer.text]).toEqual([path, 404, plainNotFound]);
    }
  }
});

test('a target that Express would read as another path is the plain 404', async () => {
  const pages = createRouter();
  pageRoute(pages, '/a').get(page(showing('a')));
  pageRoute(pages, '/a/b').get(page(showing('b')));
  await using server = await serving(pages);
  const { port, hostname } = new URL(server.running.baseUrl);
  const ask = async (target: string) => {
    const socket = connect(Number(port), hostname);
    const answer = text(socket);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return (await answer).split('\r\n\r\n')[1];
  };
  for (const target of ['/a', '/a?b#c', 'http://x/a']) expect([target, await ask(target)]).toEqual([target, 'a']);
  for (const target of ['/a#b', 'ftp://x/a', '/a\\b', '/a\\b#']) {
    expect([target, await ask(target)]).toEqual([target, plainNotFound]);
  }
});

test('a page is shown only at paths without a method, and that no service takes', async () => {
  const passed = { passOn: async (): Promise<Answer> => showing('passed')(), takes: (path: string) => path === '/passed/on' };
  await using server = await serving(createRouter().use(page(showing('page'), '/')), { passes: new Map([['/passed/', passed]]) });
  const { client } = server;
  expect((await client.get('/api/v1/things/ball')).json()).toEqual({ name: 'ball' });
  expect((await client.get('/api/v1/whoami')).status).toBe(401);
  expect((await client.post('/api/v1/whoami')).status).toBe(405);
  expect((await client.get('/passed/on')).text).toBe('passed');
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    for (const path of ['/passed/by', '/passed', '/api/v1/nobody-knows', '/']) {
      expect([path, (await client.send(method, path)).text]).toEqual([path, 'page']);
    }
  }
});

test('a page below a path has a label of its own, and the log has the whole path', async () => {
  const below = createRouter().use('/below', skipWrites, page(({ path }) => showing(path)(), '/below'));
  await using server = await serving(createRouter().use(below));
  const { client, lines } = server;
  for (const path of ['/below', '/below/', '/below/a']) expect((await client.get(`${path}?a=b`)).text).toBe(path);
  for (const method of ['POST', 'OPTIONS']) expect((await client.send(method, '/below/a')).text).toBe(plainNotFound);
  expect((await client.get('/belows')).text).toBe(plainNotFound);
  expect((await client.get('/below/%zz')).text).toBe('/below/%zz');
  expect(lines.map(({ route, path }) => [route, path])).toEqual([
    ['/below', '/below'], ['/below', '/below/'], ['/below', '/below/a'],
    ['unmatched', '/below/a'], ['unmatched', '/below/a'], ['unmatched', '/belows'],
    // The log has no path that cannot be decoded.
    ['/below', '/below'],
  ]);
});

test('an error of a page is a refusal, and the log names its route', async () => {
  const pages = createRouter();
  const broken = () => Promise.reject(new Error('a secret of the house'));
  pageRoute(pages, '/broken').get(page(broken));
  pageRoute(pages, '/away').get(page(() => {
    throw new Fault('UNAVAILABLE', 'the page is away');
  }));
  pages.use('/below', page(broken, '/below'));
  await using server = await serving(pages);
  const { client, lines } = server;
  for (const [path, status, reason] of [['/broken', 500, 'INTERNAL'], ['/away', 503, 'UNAVAILABLE'], ['/below', 500, 'INTERNAL']] as const) {
    const answer = await client.get(path);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([status, reason.toLowerCase()]);
    expect(answer.text).not.toContain('secret');
    expect(lines.at(-1)).toMatchObject({ route: path, path, status, reason });
  }
  expect(lines.filter(({ message }) => message === 'request failed').map(({ route }) => route)).toEqual(['/broken', '/below']);
});

test('a page that is answered during a stop closes its connection', async () => {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const pages = createRouter();
  pageRoute(pages, '/slow').get(page(async () => {
    asked.resolve();
    await letGo;
    return showing('slow')();
  }));
  const { running } = await serving(pages);
  const { port, hostname } = new URL(running.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const sent = text(socket);
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked.promise;
  const stopped = running[Symbol.asyncDispose]();
  resolve();
  expect(await sent).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n(?:.*\r\n)*\r\nslow$/);
  await stopped;
});
