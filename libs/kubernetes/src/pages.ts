import { Fault, unavailable } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { tooLong } from './bounded-http.ts';
import type { ClusterConnection } from './connection.ts';
import { codeOf, unexpected } from './translate-failure.ts';

const attempts = 3;
/**
 * Maximum characters of a list that is kept in memory. Each page counts as at least a hundredth of this maximum, so the
 * number of pages is limited too.
 */
const mostCharacters = 64 * 1_024 * 1_024;

interface ListQuery<Kept> {
  readonly labelSelector?: string;
  readonly keep: (object: unknown) => Kept;
  /** If true, lists of any length are read. Set it only if the results of `keep` are small. */
  readonly unbounded?: boolean;
}

export interface WholeList<Kept> {
  readonly objects: Kept[];
  /** `resourceVersion` of the list; empty if the cluster does not serve the kind. */
  readonly version: string;
}

/**
 * Reads a whole list page by page. If the server no longer has the state of the first page (410), the list is read
 * again from the start. Returns no objects if the cluster does not serve the kind (404).
 * @throws Fault BAD_UPSTREAM if an answer is not a list or the list is too long, UNAVAILABLE after the third 410;
 *   otherwise the Faults of `get`
 */
export async function readList<Kept>(
  cluster: Pick<ClusterConnection, 'get'>, path: string, query: ListQuery<Kept>, deadline: Deadline,
): Promise<WholeList<Kept>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readFromStart(cluster, path, query, deadline);
    } catch (error) {
      const code = codeOf(error);
      if (code === 404) return { objects: [], version: '' };
      if (code !== 410) throw unexpected(error);
      if (attempt === attempts) throw unavailable('the list of the cluster', error);
    }
  }
}

type Page = { items?: unknown; metadata?: { continue?: unknown; resourceVersion?: unknown } | null } | null;

async function readFromStart<Kept>(
  cluster: Pick<ClusterConnection, 'get'>, path: string, { labelSelector, keep, unbounded = false }: ListQuery<Kept>,
  deadline: Deadline,
): Promise<WholeList<Kept>> {
  const objects: Kept[] = [];
  const asked = { limit: '500', ...(labelSelector === undefined ? {} : { labelSelector }) };
  let read = 0;
  for (let next: unknown; ;) {
    const query = next === undefined ? asked : { ...asked, continue: String(next) };
    const { body, characters } = await cluster.get(path, query, deadline);
    const page = body as Page;
    if (!Array.isArray(page?.items)) throw new Fault('BAD_UPSTREAM', 'the cluster returned a list without items');
    read += Math.max(characters, mostCharacters / 100);
    if (!unbounded && read > mostCharacters) throw tooLong();
    for (const item of page.items) objects.push(keep(item));
    const { continue: more, resourceVersion } = page.metadata ?? {};
    if (typeof more !== 'string' || more === '') return { objects, version: String(resourceVersion ?? '') };
    next = more;
  }
}

/** Returns the API path of the objects of a kind, in the whole cluster or only in one namespace. */
export function pathOfKind(
  { group, version }: { readonly group: string; readonly version: string }, plural: string, namespace?: string,
): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${pathOfGroup(group, version)}${within}/${plural}`;
}

export function pathOfGroup(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}
