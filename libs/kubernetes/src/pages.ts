import { Fault, unavailable } from '@platform/rpc';
import { codeOf, unexpected } from './translate-failure.ts';

/** Objects of one call: 1,000 clusters take two. */
const pageSize = 500;
const attempts = 3;

export interface PageQuery {
  readonly limit: number;
  readonly _continue?: string;
}

/** A page of a list, as the API server answers it. */
export interface ObjectPage<Item> {
  readonly items: Item[];
  readonly metadata?: { readonly _continue?: string; readonly continue?: string };
}

/**
 * Reads a whole list page by page: one state of the cluster. A list whose state expired meanwhile (410) is read again
 * from its start. Of a kind that is not served (404) there is nothing.
 */
export async function readAllPages<Item>(read: (page: PageQuery) => Promise<ObjectPage<Item>>): Promise<Item[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readFrom(read);
    } catch (error) {
      const code = codeOf(error);
      if (code === 404) return [];
      if (code !== 410) throw unexpected(error);
      if (attempt === attempts) throw unavailable('the list of the cluster', error);
    }
  }
}

async function readFrom<Item>(read: (page: PageQuery) => Promise<ObjectPage<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  for (let next: string | undefined; ;) {
    const page = await read({ limit: pageSize, ...(next === undefined ? {} : { _continue: next }) });
    if (!Array.isArray(page?.items)) throw new Fault('BAD_UPSTREAM', 'the cluster answered a list without items');
    all.push(...page.items);
    next = page.metadata?.continue ?? page.metadata?._continue;
    if (next === undefined || next === '') return all;
  }
}
