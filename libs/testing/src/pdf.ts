import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

/** A word where it stands on its page, in points from the top left. */
export interface PdfWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Its text, columns side by side. */
  readonly text: string;
  readonly words: readonly PdfWord[];
}

/**
 * Reads a PDF with pdftotext. Undefined where poppler-utils is not installed, which is said in one line.
 * @throws Error when the document is broken in any way that pdftotext notices
 */
export async function readPdf(pdf: Uint8Array): Promise<PdfPage[] | undefined> {
  const [text, boxes] = await Promise.all([pdfToText(pdf, '-layout'), pdfToText(pdf, '-bbox')]);
  if (text === undefined || boxes === undefined) {
    console.log('poppler-utils is not installed: PDFs were not read');
    return undefined;
  }
  const texts = text.split('\f');
  return [...boxes.matchAll(/<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs)]
    .map(([, width, height, words], place) => ({
      width: Number(width), height: Number(height), text: texts[place] ?? '', words: wordsOf(words!),
    }));
}

/** Pairs of words that cover each other, and words that are not wholly on their page. */
export function misplacedWords({ words, width, height }: PdfPage): string[] {
  const outside = words.filter(({ left, top, right, bottom }) =>
    left < 0 || top < 0 || right > width || bottom > height);
  // The boxes are as high as the face, more than a line: letters are in the middle of them. Marks stand on letters.
  const cores = words.filter(({ text }) => !/^\p{M}+$/u.test(text)).map((word) => {
    const margin = (word.bottom - word.top) * 0.3;
    return { ...word, top: word.top + margin, bottom: word.bottom - margin };
  });
  const covered = cores.flatMap((one, place) => cores.slice(place + 1).filter((other) =>
    one.left < other.right - 0.5 && other.left < one.right - 0.5 && one.top < other.bottom && other.top < one.bottom)
    .map((other) => `"${one.text}" and "${other.text}" cover each other`));
  return [...outside.map(({ text }) => `"${text}" is not on the page`), ...covered];
}

function wordsOf(words: string): PdfWord[] {
  const pattern = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/gs;
  return [...words.matchAll(pattern)].map(([, left, top, right, bottom, text]) => ({
    left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom), text: text!,
  }));
}

async function pdfToText(pdf: Uint8Array, option: string): Promise<string | undefined> {
  const child = spawn('pdftotext', [option, '-enc', 'UTF-8', '-', '-'], { timeout: 60_000 });
  const ended = new Promise<number | undefined>((resolve) => {
    child.on('error', () => resolve(undefined)).on('close', (code) => resolve(code ?? -1));
  });
  child.stdin.on('error', () => undefined).end(pdf);
  const [code, out, trouble] = await Promise.all([ended, buffer(child.stdout), buffer(child.stderr)]);
  if (code === undefined) return undefined;
  if (code !== 0 || trouble.length > 0) throw new Error(`pdftotext ended with ${code}: ${trouble.toString()}`);
  return out.toString();
}
