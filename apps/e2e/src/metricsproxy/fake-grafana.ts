import { fakeServer, type FakeReply, type FakeServer } from './fake-server.ts';

export interface KeptDatasource {
  readonly uid: string;
  readonly name: string;
  readonly url: string;
  readonly secureJsonData: { readonly httpHeaderValue1: string };
}

/** The part of the Grafana HTTP API that flavor A uses, with Grafana's statuses. */
export interface FakeGrafana extends FakeServer {
  readonly folders: Map<string, { id: number; uid: string; title: string }>;
  readonly datasources: Map<string, KeptDatasource>;
}

/** @param credential a Bearer token, or `user:password` */
export async function fakeGrafana(credential: string): Promise<FakeGrafana> {
  const expected = credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`;
  const folders: FakeGrafana['folders'] = new Map();
  const datasources: FakeGrafana['datasources'] = new Map();
  let lastId = 0;

  /** Up to version 11, titles of folders are unique, as uids are. */
  function putFolder(uid: string, title: string, known = folders.get(uid)): FakeReply {
    const others = [...folders.values()].filter((folder) => folder !== known);
    const isTaken = others.some((folder) => folder.title === title || folder.uid === uid);
    if (isTaken) return { status: 409, json: { message: 'a folder with the same name already exists' } };
    folders.set(uid, { id: known?.id ?? (lastId += 1), uid, title });
    return { status: 200, json: folders.get(uid) };
  }

  const server = await fakeServer(({ method = '', headers }, path, body) => {
    if (headers.authorization !== expected) return { status: 401, json: { message: 'Unauthorized' } };
    const at = `${method} ${path.replace(/\/(?:org-|mp-|\d)[^/]+$/, '/…')}`;
    const uid = path.split('/').at(-1)!;
    switch (at) {
      case 'GET /api/folders/…':
        return folders.has(uid) ? { status: 200, json: folders.get(uid) } : notFound;
      case 'POST /api/folders':
        return putFolder(String(body['uid']), String(body['title']), undefined);
      case 'PUT /api/folders/…':
        return folders.has(uid) ? putFolder(uid, String(body['title'])) : notFound;
      case 'GET /api/datasources/name/…': {
        const found = [...datasources.values()].find(({ name }) => name === uid);
        return found === undefined ? notFound : { status: 200, json: found };
      }
      case 'PUT /api/datasources/uid/…':
        if (!datasources.has(uid)) return notFound;
        datasources.set(uid, body as unknown as KeptDatasource);
        return { status: 200, json: { message: 'Datasource updated' } };
      case 'POST /api/datasources': {
        const datasource = body as unknown as KeptDatasource;
        const isKnown = [...datasources.values()].some(({ name }) => name === datasource.name);
        if (isKnown || datasources.has(datasource.uid)) {
          return { status: 409, json: { message: 'data source with the same name already exists' } };
        }
        datasources.set(datasource.uid, datasource);
        return { status: 200, json: { message: 'Datasource added' } };
      }
      case 'DELETE /api/datasources/uid/…':
        return datasources.delete(uid) ? { status: 200, json: { message: 'Data source deleted' } } : notFound;
      default:
        throw new Error(`the fake of Grafana does not know ${at}`);
    }
  });
  return Object.assign(server, { folders, datasources });
}

const notFound: FakeReply = { status: 404, json: { message: 'not found' } };
