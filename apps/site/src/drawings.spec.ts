import { expect, it } from '@jest/globals';
import { drawingOf } from './drawings.ts';

const source = '%% One <part> & "another".\nflowchart LR\n  a[One] --> b[Two]\n';
const pictures = (html: string): string[] => {
  return [...html.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)]
    .map(([, data]) => Buffer.from(data!, 'base64').toString());
};

it('a diagram is drawn for the light and the dark look, with a text, and names no other host', () => {
  const html = drawingOf(source);
  const drawn = pictures(html);
  expect(drawn).toHaveLength(2);
  for (const svg of drawn) {
    expect(svg).toMatch(/^<svg [^]*One[^]*Two[^]*<\/svg>/);
    expect(svg.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:|@import/);
  }
  expect(drawn[0]).not.toBe(drawn[1]);
  expect(html.match(/alt="One &lt;part> &amp; &quot;another&quot;\."/g)).toHaveLength(2);
});

it('the same source gives the same bytes', () => {
  expect(drawingOf(source)).toBe(drawingOf(source));
});

it('a diagram without a text stops the build', () => {
  expect(() => drawingOf('flowchart LR\n  a --> b\n')).toThrow('the diagram has no comment');
});
