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
/** Turns the styles of highlighted code into classes, because the content policy permits no `style` attributes. */
const codeClasses = transformerStyleToClass({ classPrefix: 'code-' });
const [first, ...more] = groups;

/** Configuration of the documentation site. The pages are Markdown files of the repository. */
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
  // Store the metadata of all pages once in a separate file, and not in each page.
  metaChunk: true,
  // With a higher concurrency, two builds could have different orders of the pages in the search index.
  buildConcurrency: 1,
  head: [['link', { rel: 'icon', href: 'data:,' }], ['link', { rel: 'stylesheet', href: `${base}assets/code.css` }]],
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    codeTransformers: [codeClasses],
    languageAlias: { 'console': 'shellsession', 'sh launcher': 'sh' },
    config: asInRepository,
  },
  // If transitions were disabled, a switch between light and dark would add a style to the page. The content policy
  // forbids this.
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

/** Returns patterns of the Markdown files of the repository that are not pages of the site. */
function excluded(): string[] {
  const pages = new Set(globSync([...sources], { cwd: root }).filter((file) => pageOf(file) !== undefined));
  const folders = ['.*', 'node_modules', 'apps', 'findings', 'tools', 'proto', 'scripts'].map((name) => `${name}/**`);
  const others = globSync('{*.md,{bench,deploy,docs,libs}/**/*.md}', { cwd: root, exclude: ['**/node_modules'] })
    .filter((file) => !pages.has(file));
  return ['**/node_modules/**', ...folders, ...others];
}
