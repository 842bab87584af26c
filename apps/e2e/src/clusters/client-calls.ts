import { type HttpAnswer, type HttpRequest, until } from '@platform/testing';
import type { HubWorld } from './hub-world.ts';

/** The API of client organizations, as a site admin calls it. */
export interface ClientCalls {
  get(path: string): Promise<HttpAnswer>;
  post(path: string, json: unknown): Promise<HttpAnswer>;
  remove(id: number): Promise<HttpAnswer>;
  /** Empty while the service is unavailable. */
  statusOf(name: string): Promise<string>;
  clusterStatus(name: string, spoke: string): Promise<string>;
  untilStatus(name: string, wanted: string): Promise<unknown>;
  /** Body of a request that adds or deletes a spoke of the hub. */
  named(spokeClusterName: string, owner?: string): object;
  /** Body of a request that creates a client organization, with rights to view one spoke. */
  params(orgName: string, spoke: string, more?: { readonly owner?: string; readonly importCluster?: boolean }): object;
}

/**
 * @param hub is first called with the first request
 * @param within time limits in milliseconds: of a change, of a deletion, and of the wait for a status
 */
export function clientCalls(
  hub: () => Pick<HubWorld, 'world' | 'lab' | 'acme'>,
  within: { readonly change: number; readonly removal: number; readonly status: number },
): ClientCalls {
  const send = (method: string, path: string, request?: HttpRequest) =>
    hub().world.siteAdmin.http.send(method, `/api/v1/user/client/${path}`, request);
  const get = (path: string) => send('GET', path);
  const statusOf = async (path: string) => {
    const answer = await get(`${path}/status`);
    return answer.status === 200 ? answer.json<{ status: string }>().status : '';
  };
  const ofHub = (owner = hub().acme.organization.username) =>
    ({ hubClusterOwnerName: owner, hubClusterUID: hub().lab.hub.uid });
  return {
    get, statusOf,
    post: (path, json) => send('POST', path, { json, within: within.change }),
    remove: (id) => send('DELETE', `delete/${id}`, { within: within.removal }),
    clusterStatus: (name, spoke) => statusOf(`${name}/cluster/${spoke}`),
    untilStatus: (name, wanted) =>
      until(async () => await statusOf(name) === wanted, { within: within.status, what: `${name} is ${wanted}` }),
    named: (spokeClusterName, owner) => ({ ...ofHub(owner), hubClusterName: 'hub', spokeClusterName }),
    params: (orgName, spoke, { owner, importCluster = true } = {}) => ({
      clientOrg: { orgName }, ...ofHub(owner),
      userPermission: {
        userName: `${orgName}-boss`, email: 'boss@example.org', importCluster,
        permissions: [{ name: spoke, roleRefName: 'platform:viewer' }],
      },
    }),
  };
}
