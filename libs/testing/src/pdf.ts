import { getDocumentProxy } from 'unpdf';

/** A piece of text with its position on the page, in points from the top left. */
type PdfPiece = Readonly<{ text: string } & Record<'left' | 'top' | 'right' | 'bottom', number>>;

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** The text of the page, with columns side by side. */
  readonly text: string;
  readonly pieces: readonly PdfPiece[];
}

/** Reads a PDF with PDF.js, which leaves out letters outside the page. @throws Error if the document is invalid */
export async function readPdf(pdf: Uint8Array): Promise<PdfPage[]> {
  const document = await getDocumentProxy(Uint8Array.from(pdf), { stopAtErrors: true, verbosity: 0 });
  const numbers = Array.from({ length: document.numPages }, (_, place) => place + 1);
  const pages = await Promise.all(numbers.map(async (number) => {
    const page = await document.getPage(number);
    const [, , width, height] = page.view as [number, number, number, number];
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [pieceOf(item, height)] : []));
    return { width, height, text: linesOf(pieces), pieces };
  }));
  await document.loadingTask.destroy();
  return pages;
}

/** Finds pairs of pieces that overlap, and pieces that cross the border of their page. */
export function misplacedPieces({ pieces, width, height }: PdfPage): string[] {
  const outside = pieces.filter((one) => one.left < 0 || one.top < 0 || one.right > width || one.bottom > height);
  // Combining marks are placed on letters, so they may overlap.
  const letters = pieces.filter(({ text }) => !/^\p{M}+$/u.test(text));
  const covered = letters.flatMap((one, place) => letters.slice(place + 1).filter((other) =>
    one.left < other.right - 0.5 && other.left < one.right - 0.5 && one.top < other.bottom && other.top < one.bottom)
    .map((other) => `"${one.text}" and "${other.text}" cover each other`));
  return [...outside.map(({ text }) => `"${text}" reaches over the border`), ...covered];
}

/** The area from the baseline, which is measured from the bottom of the page, to the height of a capital letter. */
function pieceOf(
  { str: text, transform, width, height: size }: { str: string; transform: unknown[]; width: number; height: number },
  pageHeight: number,
): PdfPiece {
  const [, , , , left, baseline] = transform as number[] as [number, number, number, number, number, number];
  const bottom = pageHeight - baseline;
  return { text, left, top: bottom - size * 0.7, right: left + width, bottom };
}

/** The pieces of each line, from left to right. */
function linesOf(pieces: readonly PdfPiece[]): string {
  const lines = [...Map.groupBy(pieces, ({ bottom }) => Math.round(bottom))].toSorted(([one], [other]) => one - other);
  return lines.map(([, line]) => line.toSorted((one, other) => one.left - other.left).map(({ text }) => text).join(' '))
    .join('\n');
}
