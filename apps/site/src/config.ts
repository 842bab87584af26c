import { globSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import type { UserConfig, DefaultTheme } from 'vitepress';
import { anchorOf, asInRepository } from './markdown.ts';
import { groups } from './navigation.ts';
import { pageOf, sources } from './pages.ts';
import { base, strictPage, writeCodeStyles } from './strict-files.ts';

const app = join(import.meta.dirname, '..');
const root = join(app, '../..');
/** Turns the styles of highlighted code into classes, because the content policy permits no style in an element. */
const codeClasses = transformerStyleToClass({ classPrefix: 'code-' });
const [first, ...more] = groups;

/** The site of the documents. It has the pages of the repository, and loads nothing from other hosts. */
export const siteConfig: UserConfig<DefaultTheme.Config> = {
  title: 'Platform',
  description: 'The control plane of a company that sells software for Kubernetes',
  lang: 'en',
  base,
  srcDir: root,
  outDir: join(app, 'dist'),
  cacheDir: join(root, 'node_modules/.cache/vitepress'),
  srcExclude: excluded(),
  rewrites: (file) => pageOf(file) ?? file,
  cleanUrls: true,
  // Store the data of the site once in a file, and not in each page.
  metaChunk: true,
  // With a higher concurrency, the order of the pages in the search index would change from build to build.
  buildConcurrency: 1,
  head: [['link', { rel: 'icon', href: 'data:,' }], ['link', { rel: 'stylesheet', href: `${base}assets/code.css` }]],
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    codeTransformers: [codeClasses],
    languageAlias: { 'console': 'shellsession', 'sh launcher': 'sh' },
    config: asInRepository,
  },
  // Otherwise, a switch between light and dark would add a style to the page, which the content policy forbids.
  appearance: { disableTransition: false },
  transformHtml: (page) => strictPage(page, join(app, 'dist')),
  buildEnd: ({ outDir }) => writeCodeStyles(codeClasses.getCSS(), outDir),
  vite: { build: { chunkSizeWarningLimit: 2_000 }, publicDir: false },
  themeConfig: {
    search: { provider: 'local' },
    nav: [{ text: 'Tutorials', link: '/tutorials/' }, { text: 'Errors', link: '/errors' }],
    sidebar: [first!, ...more].map(({ items, ...group }) => ({ ...group, items: [...items] })),
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
};

/** The Markdown files of the repository that are not pages of the site. */
function excluded(): string[] {
  const pages = new Set(globSync([...sources], { cwd: root }).filter((file) => pageOf(file) !== undefined));
  const folders = ['.*', 'node_modules', 'apps', 'findings', 'tools', 'proto', 'scripts'].map((name) => `${name}/**`);
  const others = globSync('{*.md,{bench,deploy,docs,libs}/**/*.md}', { cwd: root, exclude: ['**/node_modules'] })
    .filter((file) => !pages.has(file));
  return ['**/node_modules/**', ...folders, ...others];
}
