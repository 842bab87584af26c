import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds citations in a text that refer to no section of `docs/rules`. */
export type CitationFindings = (file: string, text: string) => string[];

const number = String.raw`\d+(?:\.\d+)?`;
const step = String.raw`[WRS]\d`;

/** A source that code cites. `pages` matches its files in `docs/rules`. `section` matches a section number. */
const sources = [
  { name: 'open-points', pages: /^\d\d-.*\.md$/, section: number },
  { name: 'authorization.md', pages: /^authorization\.md$/, section: step },
  { name: 'spec', pages: /^specification\.md$/, section: `§${number}` },
] as const;

/** Returns a function that checks citations against the sections of `docs/rules` below a folder. */
export function citationFindings(folder: string): CitationFindings {
  const rules = join(folder, 'docs/rules');
  const kinds = sources.map(({ name, pages, section }) => {
    const names = readdirSync(rules).filter((page) => pages.test(page));
    const texts = names.map((page) => readFileSync(join(rules, page), 'utf8'));
    const anchors = texts.flatMap((text) => [...text.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor!));
    const list = `${section}(?:(?:, | and | to )${section}(?![\\d.]))*`;
    return {
      name,
      known: new Set(anchors),
      citation: new RegExp(`(?<![\\w-])${name.replace('.', '\\.')} (${list})`, 'g'),
      section: new RegExp(section, 'g'),
    };
  });
  return (file, text) => text.split('\n').flatMap((line, index) =>
    kinds.flatMap(({ name, known, citation, section }) =>
      [...line.matchAll(citation)]
        .flatMap(([, list]) => [...list!.matchAll(section)].map(([cited]) => cited))
        .filter((cited) => !known.has(cited.replace('§', '')))
        .map((cited) => `${file}:${index + 1}: cites ${name} ${cited}, which docs/rules does not have`)));
}

const ourPath = /`((?:apps|bench|deploy|docs|libs|proto|scripts|tools)\/[\w./-]+)`/g;
const link = /\]\((?![a-z]+:)([^)#\s]+)(?:#[^)]*)?\)/g;
/** The example service of docs/adding-a-service.md. Its files do not exist. */
const exampleService = /\bnotes\b/;

/** Finds the paths in a Markdown file that do not exist: paths from the root in backticks, and links. */
export function pathFindings(folder: string, file: string, text: string): string[] {
  if (!file.endsWith('.md')) return [];
  return text.split('\n').flatMap((line, index) => [
    ...[...line.matchAll(ourPath)].map(([, path]) => path!),
    ...[...line.matchAll(link)].map(([, path]) => join(dirname(file), path!)),
  ].filter((path) => !exampleService.test(path) && !existsSync(join(folder, path)))
    .map((path) => `${file}:${index + 1}: names ${path}, which does not exist`));
}
