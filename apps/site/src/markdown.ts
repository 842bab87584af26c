import { relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { drawingOf } from './drawings.ts';
import { linkOf } from './pages.ts';

const root = new URL('../../../', import.meta.url).pathname;

interface Rendered {
  readonly path: string;
  /** Path of the file, if it differs from the path of the page in the site. */
  readonly realPath?: string;
}

/** Makes links, anchors, doubled braces and Mermaid diagrams work on the site as they do in the repository. */
export function asInRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('links', ({ tokens, env }) => {
    const { path, realPath = path } = env as Rendered;
    const file = relative(root, realPath);
    for (const { children } of tokens) {
      // If a link leads to no page, only its text is kept. Links are not nested: the next `link_close` ends the link.
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = linkOf(file, token.attrGet('href') ?? '');
          isDropped = href === undefined;
          if (href !== undefined) token.attrSet('href', href);
        }
        if (!isDropped || !/^link_(?:open|close)$/.test(token.type)) continue;
        isDropped = token.type === 'link_open';
        Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 });
      }
    }
  });
  // Anchors such as `<a id="5.1"></a>` become HTML if they stand alone. Other HTML in pages is shown as text.
  md.core.ruler.push('anchors', ({ tokens }) => {
    for (const token of tokens) {
      const [, id] = /^<a id="([\w.-]+)"><\/a>$/.exec(token.content) ?? [];
      if (token.type !== 'inline' || id === undefined) continue;
      Object.assign(token, { type: 'html_block', content: `<a id="${id}"></a>\n`, children: null });
    }
  });
  // Pages are templates of Vue, in which doubled braces would be code.
  md.renderer.rules.text = (tokens, index) =>
    md.utils.escapeHtml(tokens[index]!.content).replaceAll('{{', '&#123;&#123;');
  const fence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index]!;
    return info === 'mermaid' ? drawingOf(content) : fence(tokens, index, options, env, self);
  };
}

/** Returns the anchor of a heading, as GitHub creates it. */
export function anchorOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
}
