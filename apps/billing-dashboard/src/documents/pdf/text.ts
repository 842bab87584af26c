import bidiFactory from 'bidi-js';
import { createFaces, type FaceName, latin1, type Run } from './faces.ts';

/** How text looks. The size is in points. */
export interface Style {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
}

export interface Line {
  /** The text in reading order. */
  readonly text: string;
  /** The runs of the text, from left to right. */
  readonly runs: readonly Run[];
  readonly width: number;
}

export interface TextSetter {
  /** Breaks a text into lines, between words if possible, otherwise inside a word. A blank text has no lines. */
  lines(text: string, style: Style, width: number): Line[];
  /** Typesets the text in one line. A text that is too long is cut and ends with an ellipsis. */
  line(text: string, style: Style, width?: number): Line;
  /** @param baseline distance of the baseline of the letters from the top of the page */
  draw(line: Line, style: Style, x: number, baseline: number): void;
}

/** Where to draw. `ink` is the brand colour, or a darker colour if the brand colour is too light. */
export interface Frame {
  readonly pdf: PDFKit.PDFDocument;
  readonly text: TextSetter;
  readonly left: number;
  readonly width: number;
  readonly ink: string;
}

export const muted = '#64748b';

// `bidi-js` is CommonJS, but its types describe a module with a default export.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * Maximum length of a text. Longer texts are cut, because they take long to typeset. Names in Kubernetes are much
 * shorter.
 */
const mostCharacters = 1_024;
/** Matches characters to replace, such as control characters and marks that change the direction of nearby text. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB]/gu;
/** Matches more than three combining marks in a row. Only three are kept, because more could cover other lines. */
const tower = /(\p{M}{3})\p{M}+/gu;

export function createTextSetter(pdf: PDFKit.PDFDocument): TextSetter {
  const faceOf = createFaces(pdf);
  const advances = new Map<FaceName, number[]>();
  const features: PDFKit.Mixins.OpenTypeFeatures[] = [];

  const measured = ({ face, text }: Run, size: number): number => {
    if (!latin1.test(text)) return pdf.font(face).fontSize(size).widthOfString(text, { features });
    let known = advances.get(face);
    if (known === undefined) {
      pdf.font(face).fontSize(1);
      known = Array.from({ length: 256 }, (_, code) => {
        const letter = String.fromCharCode(code);
        return latin1.test(letter) ? pdf.widthOfString(letter, { features }) : 0;
      });
      advances.set(face, known);
    }
    let width = 0;
    for (let place = 0; place < text.length; place += 1) width += known[text.charCodeAt(place)]!;
    return width * size;
  };

  const lineOf = (text: string, { size, bold = false }: Style): Line => {
    const plain: Run = { face: bold ? 'plainBold' : 'plain', text };
    const runs = latin1.test(text) ? [plain] : visualRuns(text, (one) => faceOf(one, bold));
    return { text, runs, width: runs.reduce((sum, run) => sum + measured(run, size), 0) };
  };

  const lines = (given: string, style: Style, width: number): Line[] => {
    const text = clean(given);
    const whole = lineOf(text, style);
    if (whole.width <= width) return text === '' ? [] : [whole];
    const found: Line[] = [];
    let current = '';
    let currentWidth = 0;
    const end = () => {
      if (current !== '') found.push(lineOf(current.trimEnd(), style));
      [current, currentWidth] = ['', 0];
    };
    const add = (piece: string, pieceWidth: number) => {
      current += piece;
      currentWidth += pieceWidth;
    };
    for (const { segment } of words.segment(text)) {
      const segmentWidth = lineOf(segment, style).width;
      const isBlank = segment.trim() === '';
      if (isBlank && (current === '' || currentWidth + segmentWidth > width)) {
        end();
        continue;
      }
      if (segmentWidth <= width) {
        if (currentWidth + segmentWidth > width) end();
        add(segment, segmentWidth);
        continue;
      }
      for (const { segment: grapheme } of graphemes.segment(segment)) {
        const graphemeWidth = lineOf(grapheme, style).width;
        if (currentWidth + graphemeWidth > width) end();
        add(grapheme, graphemeWidth);
      }
    }
    end();
    return found;
  };

  return {
    lines,
    line: (text, style, width = Infinity) => {
      const whole = lineOf(clean(text), style);
      if (whole.width <= width) return whole;
      const ellipsis = lineOf('…', style);
      const [first] = lines(text, style, width - ellipsis.width);
      const runs = [...(first?.runs ?? []), ...ellipsis.runs];
      return { text: `${first?.text ?? ''}…`, runs, width: (first?.width ?? 0) + ellipsis.width };
    },
    draw: ({ text, runs }, { size, color = '#1e293b' }, x, baseline) => {
      // The span tells PDF readers the original text (ADR 0226). Without the span, they read letters in the order in
      // which the letters are drawn. In Devanagari, a vowel may be drawn before its consonant. A line with
      // right-to-left letters has no span, because PDFium would reverse the text of the span.
      const isShaped = !latin1.test(text) && !rightToLeft.test(text);
      if (isShaped) pdf.markContent('Span', { actual: text });
      let left = x;
      for (const run of runs) {
        pdf.font(run.face).fontSize(size).fillColor(color)
          .text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic', features });
        left += measured(run, size);
      }
      if (isShaped) pdf.endMarkedContent();
    },
  };
}

function clean(text: string): string {
  const bounded = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return bounded.replace(/\s+/gu, ' ').replace(unsafe, '\uFFFD').replace(tower, '$1').trim();
}

/** Returns the runs of a text from left to right (Unicode Standard Annex #9), each with one face and direction. */
function visualRuns(text: string, faceOf: (cluster: string) => Run): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text);
  const runs: { face: FaceName; text: string; level: number }[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index]!;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(segment) ?? segment : segment;
    const { face, text: shown } = faceOf(mirrored);
    const last = runs.at(-1);
    if (last?.face === face && last.level === level) last.text += shown;
    else runs.push({ face, text: shown, level });
  }
  const highest = Math.max(...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < runs.length; start += 1) {
      if (runs[start]!.level < level) continue;
      let end = start;
      while (end < runs.length && runs[end]!.level >= level) end += 1;
      runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = end;
    }
  }
  return runs.map(({ face, text: shown, level }) => ({ face, text: leftToRight(shown, level) }));
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Reverses a right-to-left run that has no letters of a right-to-left script. Runs with such letters stay as they are,
 * because the shaper reverses these runs.
 */
function leftToRight(text: string, level: number): string {
  if (level % 2 === 0 || rightToLeft.test(text)) return text;
  return [...graphemes.segment(text)].map(({ segment }) => segment).reverse().join('');
}
