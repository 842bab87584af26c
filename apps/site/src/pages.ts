import { posix } from 'node:path';

/** Paths of the pages outside `docs/`: the path in the site, by the path in the repository. */
const others: Readonly<Record<string, string>> = {
  'README.md': 'clone.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'bench/README.md': 'bench.md',
  'deploy/compose/README.md': 'compose.md',
  'deploy/images/README.md': 'images.md',
  'deploy/observability/README.md': 'observability.md',
  'libs/client/README.md': 'typescript-client.md',
};

/** Patterns of paths in the repository. A matching file is a page unless {@link pageOf} returns undefined. */
export const sources: readonly string[] = ['docs/**/*.md', ...Object.keys(others)];

/**
 * Returns the path in the site for a file of the repository: `rules/index.md` for `docs/rules/README.md`. Returns
 * undefined if the file is not a page. The first page of the site is `docs/what-it-is.md`.
 */
export function pageOf(file: string): string | undefined {
  if (file in others) return others[file];
  if (file === 'docs/what-it-is.md') return 'index.md';
  const [, below] = /^docs\/(.*\.md)$/.exec(file) ?? [];
  return below === 'adr/template.md' ? undefined : below?.replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * Returns where a link of a page leads in the site, for example `/rules/05-contracts.md#5.1`. Returns an address with a
 * scheme, or an anchor in the same page, unchanged. Returns undefined if the link leads to no page of the site.
 * @param file the page's path in the repository
 * @param href the link in the Markdown of the page
 */
export function linkOf(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const [, path = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const isFolder = !/\.\w+$/.test(target);
  const page = pageOf(isFolder ? `${target}/README.md` : target);
  return page === undefined ? undefined : `/${page}${hash}`;
}
