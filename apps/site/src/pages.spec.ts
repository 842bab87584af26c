import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { groups } from './navigation.ts';
import { linkOf, pageOf, sources } from './pages.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync([...sources], { cwd: root }).filter((file) => pageOf(file) !== undefined);
const addresses = files.map((file) => `/${pageOf(file)!.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`);

describe('the pages of the site', () => {
  it.each([
    ['docs/what-it-is.md', 'index.md'], ['docs/errors.md', 'errors.md'], ['docs/rules/README.md', 'rules/index.md'],
    ['README.md', 'clone.md'], ['docs/adr/template.md', undefined], ['libs/rpc/README.md', undefined], ['docs/openapi.json', undefined],
  ])('%s is %s', (file, page) => {
    expect(pageOf(file)).toBe(page);
  });

  it('have names of their own', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(new Set(addresses).size).toBe(files.length);
  });

  it('are all in the side bar, but for records of decisions and single rules, which their lists name', () => {
    const listed = groups.flatMap(({ items }) => items.map(({ link }) => link));
    expect(new Set(listed).size).toBe(listed.length);
    const expected = addresses.filter((address) => !/^\/(?:adr|rules)\/./.test(address));
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  it('link only to files that exist, so the links work in the repository, too', () => {
    const broken = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
      return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, href]) => href!)
        .filter((href) => !/^[a-z]+:/.test(href) && !existsSync(join(root, posix.dirname(file), href)))
        .map((href) => `${file}: ${href}`);
    });
    expect(broken).toEqual([]);
  });
});

describe('a link', () => {
  it.each([
    ['docs/errors.md', 'permissions.md#team', '/permissions.md#team'],
    ['docs/rules/05-contracts.md', '../adr/README.md', '/adr/index.md'],
    ['docs/rules/05-contracts.md', '../adr', '/adr/index.md'],
    ['docs/tutorials/sell.md', '../what-it-is.md', '/index.md'],
    ['README.md', 'docs/errors.md', '/errors.md'],
    ['docs/what-it-is.md', '../README.md#operate-it', '/clone.md#operate-it'],
    ['docs/what-it-is.md', '#states', '#states'],
    ['docs/what-it-is.md', 'https://example.org/a', 'https://example.org/a'],
    ['docs/what-it-is.md', 'openapi.json', undefined],
    ['docs/kubernetes.md', '../deploy/images', '/images.md'],
    ['docs/kubernetes.md', '../deploy/charts', undefined],
  ])('of %s to %s leads to %s', (file, href, link) => {
    expect(linkOf(file, href)).toBe(link);
  });
});
