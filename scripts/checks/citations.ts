import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Finds the citations of rules in a text that name no section of `docs/rules`. */
export type CitationFindings = (file: string, text: string) => string[];

const number = String.raw`\d+(?:\.\d+)?`;
const step = String.raw`[WRS]\d`;

/** A source as the code cites it, the page or pages that hold its sections, and the form of what follows its name. */
const sources = [
  { name: 'open-points', pages: /^\d\d-.*\.md$/, section: number },
  { name: 'authorization.md', pages: /^authorization\.md$/, section: step },
  { name: 'spec', pages: /^specification\.md$/, section: `§${number}` },
] as const;

/** Reads the sections of `docs/rules` below a folder. */
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
