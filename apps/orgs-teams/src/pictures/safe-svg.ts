import { SaxesParser, type SaxesTagNS } from 'saxes';

const svg = 'http://www.w3.org/2000/svg';
const xlink = 'http://www.w3.org/1999/xlink';
const xml = 'http://www.w3.org/XML/1998/namespace';
const xmlns = 'http://www.w3.org/2000/xmlns/';

/** Namespaces of metadata that drawing programs add and that viewers ignore. */
const notes = new Set([
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.serif.com/',
]);

/** The allowed elements. Elements that run code, animate, link or embed documents are not among them. */
const elements = new Set([
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'metadata', 'style', 'path', 'rect', 'circle', 'ellipse',
  'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath', 'linearGradient', 'radialGradient', 'stop',
  'clipPath', 'mask', 'pattern', 'marker', 'filter', 'feBlend', 'feColorMatrix', 'feComponentTransfer',
  'feComposite', 'feDropShadow', 'feFlood', 'feFuncA', 'feFuncB', 'feFuncG', 'feFuncR', 'feGaussianBlur', 'feMerge',
  'feMergeNode', 'feOffset',
]);

/** Allowed functions in CSS and attributes. `url` may refer only to parts of the picture. The others load nothing. */
const functions = new Set([
  'rgb', 'rgba', 'hsl', 'hsla', 'url', 'matrix', 'translate', 'scale', 'rotate', 'skewx', 'skewy', 'polygon', 'circle',
  'ellipse', 'inset', 'blur', 'drop-shadow',
]);
/** Attributes whose value viewers treat as plain text. */
const texts = /^(?:aria-.*|data-.*|class|id|role|lang)$/;

const mostElements = 10_000;
/** Maximum number of attributes of one element. */
const mostAttributes = 500;
const mostDepth = 100;
/** Maximum number of drawn elements. Nested references multiply the number, because each reference draws its target. */
const mostDrawn = 50_000;
/** Maximum number of nested levels. The target of a reference counts as nested in the element that refers to it. */
const mostSteps = 300;

/** What an element draws, including itself and the targets of references. */
interface Extent {
  /** Number of elements. */
  readonly count: number;
  /** Number of nested levels. */
  readonly levels: number;
}
const tooMuch: Extent = { count: Infinity, levels: Infinity };

/**
 * Returns why an SVG is refused, as a text for users such as `must be UTF-8`; undefined if it is accepted (open-points
 * 10). Accepts only well-formed XML with content that is known to be harmless.
 */
export function svgProblem(content: Uint8Array): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return 'must be UTF-8';
  }
  const check = new SvgCheck();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => check.refuse('must be well-formed XML'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') check.refuse('must be UTF-8');
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) check.refuse('must not have declarations inside its DOCTYPE');
  });
  parser.on('processinginstruction', () => check.refuse('must not contain processing instructions'));
  parser.on('attribute', () => check.attribute());
  parser.on('opentag', (tag) => check.open(tag));
  parser.on('text', (inner) => check.text(inner));
  parser.on('cdata', (inner) => check.text(inner));
  parser.on('closetag', () => check.close());
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return check.problem();
}

/** An element, with its children and the ids of the elements that it refers to. */
interface Drawn {
  readonly local: string;
  readonly children: Drawn[];
  readonly references: string[];
  /** Text and CDATA sections of a `style` element, joined, because viewers read them as one text. */
  css: string;
}

/** Thrown to end the parsing early, because the rest of the content cannot change the result. */
class Refused extends Error {}

class SvgCheck {
  #problem: string | undefined;
  /** Number of attributes of the current element. */
  #attributes = 0;
  readonly #path: Drawn[] = [];
  readonly #byId = new Map<string, Drawn>();
  #root: Drawn | undefined;
  #count = 0;

  /** @throws Refused */
  refuse(problem: string): never {
    this.#problem ??= problem;
    throw new Refused();
  }

  attribute(): void {
    this.#attributes += 1;
    if (this.#attributes > mostAttributes) this.refuse(`must have at most ${mostAttributes} attributes in an element`);
  }

  open({ local, uri, attributes }: SaxesTagNS): void {
    this.#attributes = 0;
    const element: Drawn = { local: uri === svg ? local : '', children: [], references: [], css: '' };
    this.#count += 1;
    if (this.#count > mostElements) this.refuse(`must have at most ${mostElements} elements`);
    if (this.#path.length >= mostDepth) this.refuse(`must have at most ${mostDepth} levels of elements`);
    if (this.#root === undefined && (uri !== svg || local !== 'svg')) this.refuse('must be an SVG');
    if (uri === svg ? !elements.has(local) : !notes.has(uri)) this.refuse(`must not contain the element ${local}`);
    for (const attribute of Object.values(attributes)) this.#attribute(attribute, element);
    this.#path.at(-1)?.children.push(element);
    this.#root ??= element;
    this.#path.push(element);
  }

  text(inner: string): void {
    const element = this.#path.at(-1);
    if (element?.local === 'style') element.css += inner;
  }

  close(): void {
    const element = this.#path.pop();
    if (element !== undefined && element.css !== '') this.#style(element.css, element);
  }

  problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    if (this.#root === undefined) return 'must be an SVG';
    const { count } = this.#drawn(this.#root, new Set(), new Map());
    return count > mostDrawn ? 'must not refer to itself, be nested too deeply or repeat too many elements' : undefined;
  }

  #attribute({ local, uri, value }: { local: string; uri: string; value: string }, element: Drawn): void {
    if (notes.has(uri) || uri === xmlns) return;
    const name = local.toLowerCase();
    if (name.startsWith('on')) this.refuse('must not contain event handlers');
    if (name === 'href' && (uri === '' || uri === xlink)) {
      if (!/^#[^\s]+$/.test(value)) this.refuse('must not refer to anything outside the picture');
      element.references.push(value.slice(1));
      return;
    }
    if (uri === xml ? !['space', 'lang', 'id'].includes(name) : uri !== '' && uri !== xlink) {
      this.refuse(`must not contain the attribute ${local}`);
    }
    if (name === 'id') this.#byId.set(value, element);
    else if (!texts.test(name)) this.#style(value, element);
  }

  /** Checks CSS, or a value that a viewer may read as CSS. References must point to parts of the picture. */
  #style(css: string, element: Drawn): void {
    if (/[\\@<]|:\/\/|javascript:|expression|behavior|-moz-binding/i.test(css)) {
      this.refuse('must not contain \\, @, <, scripts or addresses in styles or attributes');
    }
    // Match only at the start of a word. Otherwise the search would start again at each letter of a long word.
    for (const [, name = ''] of css.matchAll(/(?<![\w-])([\w-]+)\(/g)) {
      if (!functions.has(name.toLowerCase())) this.refuse(`must not use ${name}()`);
    }
    for (const [, target = ''] of css.matchAll(/url\(\s*([^)]*)\)?/gi)) {
      const inside = /^(["']?)#([\w.:-]+)\1\s*$/.exec(target);
      if (inside === null) this.refuse('must not refer to anything outside the picture');
      element.references.push(inside[2]!);
    }
  }

  /** Measures an element. Returns {@link tooMuch} for a cycle, or for more than `mostSteps` levels. */
  #drawn(element: Drawn, above: Set<Drawn>, known: Map<Drawn, Extent>): Extent {
    const measured = known.get(element);
    if (measured !== undefined) return measured;
    if (above.has(element) || above.size >= mostSteps) return tooMuch;
    above.add(element);
    let [count, levels] = [1, 0];
    const targets = element.references.flatMap((id) => this.#byId.get(id) ?? []);
    for (const below of [...element.children, ...targets]) {
      const found = this.#drawn(below, above, known);
      count += found.count;
      levels = Math.max(levels, found.levels);
    }
    above.delete(element);
    const extent = levels < mostSteps ? { count, levels: levels + 1 } : tooMuch;
    known.set(element, extent);
    return extent;
  }
}
