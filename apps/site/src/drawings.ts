import { type DiagramColors, renderMermaidSVG } from 'beautiful-mermaid';

/** Colours of the pictures for the light and the dark look of the site. */
const looks: Readonly<Record<'light' | 'dark', DiagramColors>> = {
  light: { bg: '#ffffff', fg: '#24292f', accent: '#2f5bd0' },
  dark: { bg: '#1b1b1f', fg: '#dfdfd6', accent: '#8ea5f0' },
};

/**
 * Returns HTML with two pictures of a Mermaid diagram: for the light and for the dark look of the site. The first
 * comment of the diagram, `%% …`, becomes the alternative text.
 * @throws Error if the diagram has no such comment, or cannot be drawn
 */
export function drawingOf(source: string): string {
  const [, alternative] = /^%% (.+)$/m.exec(source) ?? [];
  if (alternative === undefined) throw new Error(`the diagram has no comment "%% …" with alternative text: ${source}`);
  const images = Object.entries(looks).map(([look, colours]) => {
    // Remove the import of fonts, because a browser would load the fonts from another host.
    const svg = renderMermaidSVG(source, colours).replaceAll(/^\s*@import url\([^)]*\);\n/gm, '');
    const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return `<img class="drawing ${look}" src="${address}" alt="${escaped(alternative)}">`;
  });
  return `<p class="drawings">${images.join('')}</p>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
