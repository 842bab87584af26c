import { fakeServer, type FakeReply, type FakeServer } from './fake-server.ts';

/** The part of the Perses HTTP API that flavor B uses, with the statuses of Perses. */
export interface FakePerses extends FakeServer {
  /** Resources by path, such as `/api/v1/projects/acme/datasources/42.….`. */
  readonly resources: Map<string, Record<string, unknown>>;
  forgetSessions(): void;
}

/** @param credential a Bearer token, or `user:password` of a login */
export async function fakePerses(credential: string): Promise<FakePerses> {
  const resources: FakePerses['resources'] = new Map();
  const sessions = new Set<string>(credential.includes(':') ? [] : [credential]);
  let last = 0;
  const server = await fakeServer(({ method = '', headers }, path, body): FakeReply => {
    if (path === '/api/auth/providers/native/login') {
      if (`${String(body['login'])}:${String(body['password'])}` !== credential) return { status: 400, json: {} };
      const session = `session-${(last += 1)}`;
      sessions.add(session);
      return { status: 200, json: { access_token: session, refresh_token: 'unused' } };
    }
    if (!sessions.has(headers.authorization?.replace('Bearer ', '') ?? '')) return { status: 401, json: {} };
    const parent = path.split('/').slice(0, -1).join('/').replace(/\/(?:folders|secrets|datasources)$/, '');
    const { name } = (body['metadata'] ?? {}) as { name?: string };
    switch (method) {
      case 'GET':
        return resources.has(path) ? { status: 200, json: resources.get(path) } : notFound;
      case 'POST': {
        const project = /^(\/api\/v1\/projects\/[^/]+)\//.exec(`${path}/`)?.[1];
        if (project !== undefined && !resources.has(project)) return badRequest;
        // Since version 0.54 `spec` is an object.
        if (path.endsWith('/folders') && Array.isArray(body['spec'])) return badRequest;
        if (resources.has(`${path}/${name}`)) return { status: 409, json: { error: 'already exists' } };
        resources.set(`${path}/${name}`, body);
        return { status: 200, json: body };
      }
      case 'PUT':
        if (!resources.has(path)) return notFound;
        resources.set(path, body);
        return { status: 200, json: body };
      case 'DELETE':
        if (!resources.has(parent) && parent !== '') return notFound;
        return resources.delete(path) ? { status: 204 } : notFound;
      default:
        return { status: 405 };
    }
  });
  return Object.assign(server, { resources, forgetSessions: () => sessions.clear() });
}

const badRequest: FakeReply = { status: 400, json: { error: 'bad request' } };
const notFound: FakeReply = { status: 404, json: { error: 'document not found' } };
