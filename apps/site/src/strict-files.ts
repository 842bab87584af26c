import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Placeholder in the built files for the URL path of the platform. The gateway replaces the placeholder. */
const placeholder = '/__platform-base__';
/** Path of the site, which begins with the placeholder. */
export const base = `${placeholder}/docs/`;

/**
 * Returns the HTML of a page without inline scripts and `style` attributes, because the content policy of the platform
 * forbids both. Moves each inline script to a file in `folder`.
 */
export function strictPage(page: string, folder: string): string {
  const moved = page.replaceAll(/<script( id="[\w-]+")?>([^]*?)<\/script>/g, (_, id: string | undefined, script: string) => {
    const name = `assets/inline.${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
    write(join(folder, name), script);
    return `<script${id ?? ''} src="${base}${name}"></script>`;
  });
  return moved.replaceAll(/(<[\w-]+[^<>]*?) style="[^"]*"/g, '$1');
}

/**
 * Writes the styles of highlighted code, with sorted rules. Pages are read in no fixed order. Without sorting, two
 * builds of one commit could differ.
 */
export function writeCodeStyles(css: string, folder: string): void {
  const rules = css.match(/[^}]+\}/g) ?? [];
  write(join(folder, 'assets/code.css'), rules.sort().join(''));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
