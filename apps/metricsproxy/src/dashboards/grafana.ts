import { createHash } from 'node:crypto';
import type { Secret } from '@platform/service';
import type { Dashboard, Datasource, WantedDatasource } from './dashboard.ts';
import { basicOrBearer, type Call, dashboardAt, nonsense, type Reply } from './dashboard-http.ts';

const name = 'the dashboard of flavor A';
/** Statuses of Grafana for a uid or title that is already used. They differ between versions of Grafana. */
const conflicts: readonly number[] = [409, 412];

/** The uid of a datasource. Grafana accepts at most 40 characters. */
export function datasourceUid(identity: string): string {
  return `mp-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;
}

/**
 * Returns the dashboard of flavor A: Grafana, over its HTTP API (open-points 9). Each owner has a folder, and each
 * cluster or project of the owner has a datasource.
 */
export function createGrafana(url: string, publicUrl: string, credential: Secret | undefined): Dashboard {
  const send = dashboardAt(url, name, () => basicOrBearer(credential));

  /**
   * Creates or updates the folder of an owner, and returns the id of the folder. The title is the owner's name. The uid
   * is added to the title if another folder has the same title, such as the folder of a deleted organization.
   */
  async function putFolder(call: Call, { ownerId, ownerName }: Datasource): Promise<number> {
    const uid = `org-${ownerId}`;
    const path = `/api/folders/${uid}`;
    const find = () => send(call, 'GET', path, { accept: [404] });
    let folder = await find();
    for (const title of [ownerName, `${ownerName} (${uid})`]) {
      if (folder.json?.['title'] === title) return idIn(folder);
      const isMissing = folder.status === 404;
      const put = isMissing
        ? await send(call, 'POST', '/api/folders', { json: { uid, title }, accept: conflicts })
        : await send(call, 'PUT', path, { json: { title, overwrite: true }, accept: conflicts });
      if (!conflicts.includes(put.status)) return idIn(put);
      // A conflict: either another process has just created the folder, or another folder already has the title.
      if (isMissing) folder = await find();
      if (folder.json?.['title'] === title) return idIn(folder);
    }
    throw nonsense(name);
  }

  return {
    publicUrl,
    put: async (call, datasource) => {
      const folderId = await putFolder(call, datasource);
      const json = datasourceJson(datasource);
      const update = () => send(call, 'PUT', `/api/datasources/uid/${json.uid}`, { json, accept: [404] });
      if ((await update()).status === 404) {
        const made = await send(call, 'POST', '/api/datasources', { json, accept: [409] });
        if (made.status === 409 && (await update()).status === 404) throw nonsense(name);
      }
      return { folderId };
    },
    remove: async (call, { identity }) => {
      await send(call, 'DELETE', `/api/datasources/uid/${datasourceUid(identity)}`, { accept: [404] });
    },
  };
}

function datasourceJson({ identity, url, token }: WantedDatasource) {
  return {
    uid: datasourceUid(identity), name: identity, type: 'prometheus', access: 'proxy', url, basicAuth: false,
    jsonData: { httpMethod: 'POST', httpHeaderName1: 'Authorization' },
    secureJsonData: { httpHeaderValue1: `Bearer ${token.reveal()}` },
  };
}

function idIn({ json }: Reply): number {
  const id = json?.['id'];
  if (!Number.isSafeInteger(id)) throw nonsense(name);
  return id as number;
}
