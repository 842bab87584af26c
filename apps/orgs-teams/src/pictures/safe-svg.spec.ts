import { describe, expect, it } from '@jest/globals';
import { svgProblem } from './safe-svg.ts';

const root = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"${attributes}>${inner}</svg>`;
const problem = (text: string | Buffer) => svgProblem(Buffer.from(text as string));
const shape = '<path d="M0 0h8v8z"/>';

/** `<g>` elements that each use the previous one twice. */
const doubling = (levels: number) => Array.from({ length: levels }, (_, level) =>
  `<g id="l${level + 1}"><use href="#l${level}"/><use href="#l${level}"/></g>`).join('');

describe('an SVG that is taken', () => {
  it.each([
    ['a plain one', root(shape)],
    ['with declaration, doctype and comment', `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- a > b -->${root(shape)}`],
    ['with a byte order mark', `\ufeff${root(shape)}`],
    ['with gradients and parts used again', root(`<defs><linearGradient id="a"><stop stop-color="rgb(1,2,3)"/></linearGradient><symbol id="s">${shape}</symbol></defs><use xlink:href="#s" transform="translate(1 2)"/><rect fill="url(#a)"/>`)],
    ['with styles', root(`<style>.a{fill:#fff;clip-path:url("#b")}</style><style><![CDATA[.c > .d{opacity:.5}]]></style><g class="a (b)" style="fill: url('#b')"/>`)],
    ['of a drawing program', root('<sodipodi:namedview inkscape:export="C:\\a http://x"/><metadata><rdf:RDF><cc:Work rdf:about="http://x"/></rdf:RDF></metadata>', ' xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"')],
    ['with the namespace under a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect/></s:svg>'],
    ['with text', root('<title>A (b)</title><text x="1">Hello &amp; goodbye &#60;</text>')],
    // A regular expression that starts again at each letter of this word would take an hour.
    ['with a long word', root(`<style>${'a'.repeat(500_000)}</style>`)],
    ['with a few references to references', root(`<g id="l0">${shape}</g>${doubling(8)}`)],
  ])('%s', (_, text) => {
    expect(problem(text)).toBeUndefined();
  });
});

describe('an SVG that is refused', () => {
  it.each([
    ['script', root('<script>alert(1)</script>')],
    ['too many levels', '<svg xmlns="http://www.w3.org/2000/svg">'.repeat(12_000)],
    ['too many attributes', root(`<g ${Array.from({ length: 30_000 }, (_, index) => `a${index}="b"`).join(' ')}/>`)],
    ['script under a prefix', '<svg xmlns="http://www.w3.org/2000/svg" xmlns:a="http://www.w3.org/2000/svg"><a:script/></svg>'],
    ['script of another language', root('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>')],
    ['an event handler', root(shape, ' onload="alert(1)"')],
    ['an event handler in capitals', root('<g ONCLICK="alert(1)"/>')],
    ['a foreign object', root('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
    ['an element of HTML', root('<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/>')],
    ['an unknown namespace', root('<x xmlns="urn:x"/>')],
    ['a link', root('<a href="#x"/>')],
    ['a picture', root('<image href="data:image/png;base64,AAAA"/>')],
    ['an animation', root('<animate attributeName="href" values="javascript:alert(1)"/>')],
    ['a set', root('<set attributeName="onmouseover" to="alert(1)"/>')],
    ['an outside use', root('<use href="http://evil.example/a.svg#b"/>')],
    ['an outside use by xlink', root('<use xlink:href="//evil.example/a.svg#b"/>')],
    ['a script as reference', root('<use href="javascript:alert(1)"/>')],
    ['a data URI as reference', root('<use href="data:image/svg+xml,x#a"/>')],
    ['an outside paint', root('<rect fill="url(http://evil.example/a)"/>')],
    ['an outside paint without scheme', root('<rect fill="url(//evil.example/a)"/>')],
    ['an outside paint in quotes', root(`<rect style="fill:url('evil.svg#a')"/>`)],
    ['an outside paint, escaped', root('<rect fill="u\\72l(evil.svg)"/>')],
    ['an outside paint by a character reference', root('<rect fill="&#117;rl(evil.svg)"/>')],
    ['an outside paint in capitals', root('<rect fill="URL(evil.svg)"/>')],
    ['an outside image set', root('<rect style="background:image-set(&quot;evil.png&quot; 1x)"/>')],
    ['an import', root('<style>@import "evil.css";</style>')],
    ['an import in CDATA', root('<style><![CDATA[@import "evil.css";]]></style>')],
    ['an outside font', root('<style>@font-face{font-family:a;src:url(evil.woff)}</style>')],
    ['a paint in pieces', root('<style>a{fill:url<!-- -->(//evil.example)}</style>')],
    ['a paint in pieces around an element', root('<style>a{fill:u<g/>rl(//evil.example)}</style>')],
    ['a paint in pieces of CDATA', root('<style>a{fill:u<![CDATA[rl(//evil.example)]]>}</style>')],
    ['a base', root(shape, ' xml:base="http://evil.example/"')],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${root(shape)}`],
    ['laughing entities', `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${root('<text>&b;</text>')}`],
    ['an unknown entity', root('<text>&nbsp;</text>')],
    ['a style sheet', `<?xml-stylesheet href="evil.xsl" type="text/xsl"?>${root(shape)}`],
    ['another encoding', `<?xml version="1.0" encoding="UTF-7"?>${root(shape)}`],
    ['another encoding in truth', Buffer.from(root(shape), 'utf16le')],
    ['bytes that are no text', Buffer.concat([Buffer.from(root(shape)), Buffer.from([0xff])])],
    ['no end', root(shape).slice(0, -3)],
    ['something behind the end', `${root(shape)}<script/>`],
    ['crossed elements', root('<g><g></svg>')],
    ['an attribute twice', root('<g id="a" id="b"/>')],
    ['no namespace', '<svg><rect/></svg>'],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"><svg xmlns="http://www.w3.org/2000/svg"/></html>'],
    ['nothing', ''],
    ['no markup', 'hello'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a use of itself', root('<g id="a"><use href="#a"/></g>')],
    ['uses in a circle', root('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
    ['a pattern of itself', root('<pattern id="a"><rect fill="url(#a)"/></pattern>')],
    ['uses beyond all measure', root(`<g id="l0">${shape}</g>${doubling(40)}`)],
    ['a chain of 400 levels, the lowest first', root(Array.from({ length: 200 }, (_, at) => `<g id="l${at + 1}"><use href="#l${at}"/></g>`).join(''))],
    ['a chain of thousands', root(Array.from({ length: 4_000 }, (_, at) => `<g id="l${at + 1}"><use href="#l${at}"/></g>`).join(''))],
    ['levels beyond all measure', root('<g>'.repeat(5_000) + '</g>'.repeat(5_000))],
    ['elements beyond all measure', root('<g/>'.repeat(10_001))],
    ['turbulence', root('<filter id="a"><feTurbulence numOctaves="1000"/></filter>')],
    ['a file inside a filter', root('<filter id="a"><feImage href="#b"/></filter>')],
  ])('for %s', (_, text) => {
    expect(typeof problem(text)).toBe('string');
  });
});
