import { Fault } from '@platform/faults';
import type { Secret } from '@platform/service';
import type { Dashboard, WantedDatasource } from './dashboard.ts';
import { type Call, dashboardAt, nonsense } from './dashboard-http.ts';

const name = 'the dashboard of flavor B';

export const longestName = 75;
/** Name of the folder that each project has. */
export const folderName = 'default';

/** Returns the name of the datasource: the identity of the cluster or project, in lower case (open-points 9.1). */
export function datasourceName(identity: string): string {
  return identity.toLowerCase();
}

export function projectName(ownerName: string): string {
  return ownerName.toLowerCase();
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly project?: string };
  /** Absent for a folder. */
  readonly spec?: unknown;
}

/** Flavor B uses the Perses HTTP API (open-points 9). Each owner has a project with the datasources of the owner. */
export function createPerses(url: string, publicUrl: string, credential: Secret | undefined): Dashboard {
  const session = createSession(url, credential);
  const request = dashboardAt(url, name, () => session.authorization());

  /** Sends a request. If the login session has expired, signs in again and repeats the request once. */
  const send: typeof request = async (call, method, path, options = {}) => {
    const { accept = [] } = options;
    await session.open(call);
    const reply = await request(call, method, path, { ...options, accept: [...accept, 401] });
    if (reply.status !== 401) return reply;
    if (!session.close()) throw new Fault('BAD_UPSTREAM', `${name} answered with status 401`);
    await session.open(call);
    return request(call, method, path, options);
  };

  /** Creates a resource if it does not exist. Does not update an existing resource. */
  async function ensure(call: Call, collection: string, resource: Resource) {
    const found = await send(call, 'GET', `${collection}/${resource.metadata.name}`, { accept: [404] });
    if (found.status === 404) await send(call, 'POST', collection, { json: resource, accept: [409] });
  }

  async function put(call: Call, collection: string, resource: Resource) {
    const path = `${collection}/${resource.metadata.name}`;
    const update = () => send(call, 'PUT', path, { json: resource, accept: [404] });
    if ((await update()).status !== 404) return;
    const made = await send(call, 'POST', collection, { json: resource, accept: [409] });
    if (made.status === 409 && (await update()).status === 404) throw nonsense(name);
  }

  return {
    publicUrl,
    put: async (call, datasource) => {
      const project = projectName(datasource.ownerName);
      const at = `/api/v1/projects/${project}`;
      const display = { name: datasource.ownerName };
      await ensure(call, '/api/v1/projects', { kind: 'Project', metadata: { name: project }, spec: { display } });
      // Leave out `spec`, because its type depends on the version: a list up to Perses 0.53, an object from 0.54 on.
      await ensure(call, `${at}/folders`, { kind: 'Folder', metadata: { name: folderName, project } });
      await put(call, `${at}/secrets`, secretJson(project, datasource));
      await put(call, `${at}/datasources`, datasourceJson(project, datasource));
      return { folderId: 0 };
    },
    remove: async (call, { identity, ownerName }) => {
      const at = `/api/v1/projects/${projectName(ownerName)}`;
      await send(call, 'DELETE', `${at}/datasources/${datasourceName(identity)}`, { accept: [404] });
      await send(call, 'DELETE', `${at}/secrets/${datasourceName(identity)}`, { accept: [404] });
    },
  };
}

function secretJson(project: string, { identity, token }: WantedDatasource) {
  return {
    kind: 'Secret',
    metadata: { name: datasourceName(identity), project },
    spec: { authorization: { type: 'Bearer', credentials: token.reveal() } },
  };
}

function datasourceJson(project: string, { identity, url }: WantedDatasource) {
  const at = datasourceName(identity);
  return {
    kind: 'Datasource',
    metadata: { name: at, project },
    spec: {
      default: false,
      display: { name: identity },
      plugin: {
        kind: 'PrometheusDatasource',
        spec: { proxy: { kind: 'HTTPProxy', spec: { url: url.replace(/\/$/, ''), secret: at } } },
      },
    },
  };
}

/** Supplies the header `Authorization`. The credential is a Bearer token, or `login:password` for a sign-in. */
function createSession(url: string, credential: Secret | undefined) {
  const text = credential?.reveal();
  const colon = text?.indexOf(':') ?? -1;
  const isLogin = colon !== -1;
  const signIn = dashboardAt(url, name, () => undefined);
  let token = isLogin ? undefined : text;
  return {
    authorization: () => (token === undefined ? undefined : `Bearer ${token}`),
    open: async (call: Call) => {
      if (!isLogin || token !== undefined) return;
      const json = { login: text!.slice(0, colon), password: text!.slice(colon + 1) };
      const given = (await signIn(call, 'POST', '/api/auth/providers/native/login', { json })).json?.['access_token'];
      if (typeof given !== 'string') throw nonsense(name);
      token = given;
    },
    /** Forgets the token of a login, so that `open` signs in again. Returns false if the credential is not a login. */
    close: () => {
      if (!isLogin) return false;
      token = undefined;
      return true;
    },
  };
}
