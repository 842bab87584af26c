import { type Query, tokenParameters } from '@platform/http';
import type { Method } from '@platform/surface';
import type { Message } from './json/decode-message.ts';

const usualSize = 30;
const largestSize = 50;
/** The highest page number that is sent to a service. No list has more pages. */
const largestPage = 2 ** 31 - 1;

export interface RequestedPage {
  readonly number: number;
  readonly size: number;
}

/** The length of a list, and where its next page begins. */
export interface Place {
  readonly total: number;
  /** Value of the parameter `after` that selects the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** How a list method reads the requested page and links to other pages (open-points 1.8, ADR 0038). */
export interface Paging {
  /**
   * Returns the requested page, with a size from 1 to 50, and sets it in the message. Returns undefined if the request
   * has neither a page number nor a size (0 counts as absent). The list then begins at `after` or at its start.
   */
  settle(message: Message): RequestedPage | undefined;
  link(page: RequestedPage | undefined, place: Place, url: string, query: Query): string | undefined;
}

/** Compiles the paging of a method; undefined if the method is not paged. @throws Error if a field is missing */
export function compilePaging({ rest, input, output, fullName }: Method): Paging | undefined {
  if (!rest.paged) return undefined;
  const field = (name: string) => input.fields.find((candidate) => candidate.name === name);
  const sizeField = field('per_page') ?? field('limit');
  const pageField = field('page');
  const answered = new Set(output.fields.map(({ name }) => name));
  if (!sizeField || !pageField || !field('after') || !answered.has('total') || !answered.has('next')) {
    throw new Error(
      `${fullName}: a paged request has page, limit (or per_page) and after; a paged response has total and next`,
    );
  }
  const replaced = new Set([pageField.jsonName, sizeField.jsonName, 'after', ...tokenParameters]);
  return {
    settle: (message) => {
      const number = Number(message[pageField.name] ?? 0);
      const size = Number(message[sizeField.name] ?? 0);
      delete message[pageField.name];
      delete message[sizeField.name];
      if (number === 0 && size === 0) return undefined;
      const page = { number: number || 1, size: Math.min(size || usualSize, largestSize) };
      message[pageField.name] = Math.min(page.number, largestPage);
      message[sizeField.name] = page.size;
      return page;
    },
    link: (page, { total, next }, url, query) => {
      const rest = query.without(replaced).replace(/^\?/, '');
      const behind = next === undefined ? '' : `after=${encodeURIComponent(next)}`;
      const linkTo = (relation: string, own: string) => `<${url}?${rest === '' ? own : `${rest}&${own}`}>; rel="${relation}"`;
      if (page === undefined) return next === undefined ? undefined : linkTo('next', behind);
      const last = Math.max(1, Math.ceil(total / page.size));
      const pageQuery = (number: number) => `${pageField.jsonName}=${number}&${sizeField.jsonName}=${page.size}`;
      const to = (relation: string, number: number) => linkTo(relation, pageQuery(number));
      const links: string[] = [];
      if (next !== undefined) {
        links.push(linkTo('next', `${behind}&${pageQuery(page.number + 1)}`), to('last', last));
      }
      if (page.number > 1) links.push(to('first', 1), to('prev', Math.min(page.number - 1, last)));
      return links.length === 0 ? undefined : links.join(', ');
    },
  };
}
