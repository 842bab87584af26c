import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { MonthDocument } from '../month-document.ts';
import { type Block, paginate } from './blocks.ts';
import { chartBlock } from './chart.ts';
import { tableBlocks } from './table.ts';
import { createTextSetter, type Frame, muted } from './text.ts';
import { drawTitlePage, stateOf } from './title-page.ts';

/** Size and margins of a page (A4, landscape), in points. */
const page = { width: 841.89, height: 595.28, left: 40, top: 54, bottom: 44 } as const;
const width = page.width - 2 * page.left;
const bodyHeight = page.height - page.top - page.bottom;
/** The colour that is used if the brand colour is too light for white paper. */
const substitute = '#334155';
const lightest = 0.75;
/** Colours of the series after the first. */
const further = ['#0d9488', '#d97706', '#7c3aed', '#db2777', '#65a30d', '#0891b2', '#94a3b8'];
const small = { size: 7, color: muted } as const;

/** Draws the title page, then charts and tables. Reads no clock, so that equal documents have equal bytes. */
export async function drawDocument(document: MonthDocument): Promise<Uint8Array> {
  const { letterhead: { appName, primaryColor }, owner, month, asOf } = document;
  const title = `Database usage of ${owner}, ${month}`;
  const pdf = new PDFDocument({
    size: 'A4', layout: 'landscape', margin: 0, autoFirstPage: false, pdfVersion: '1.7', lang: 'en', displayTitle: true,
    // Most texts are measured only once or twice, so a cache of layouts would mainly use memory.
    fontLayoutCache: false,
    info: { Title: title, Author: appName, Creator: appName, CreationDate: new Date(asOf), ModDate: new Date(asOf) },
  } as PDFKit.PDFDocumentOptions);
  const drawn = buffer(pdf);
  const text = createTextSetter(pdf);
  const ink = visible(primaryColor);
  const frame = { pdf, text, left: page.left, width, ink };
  const pages = paginate([
    ...chartBlocks(document, frame),
    ...document.tables.flatMap((table) => [titleBlock(table.title, frame), ...tableBlocks(table, frame, bodyHeight)]),
  ], bodyHeight);
  pdf.addPage();
  drawTitlePage(document, frame);
  drawFooter(1);
  pages.forEach((blocks, place) => {
    pdf.addPage();
    text.draw(text.line(`${appName} · ${title}`, small, width), small, page.left, 30);
    pdf.moveTo(page.left, 36).lineTo(page.left + width, 36).lineWidth(0.5).stroke('#cbd5e1');
    let top: number = page.top;
    for (const block of blocks) {
      block.draw(top);
      top += block.height;
    }
    drawFooter(place + 2);
  });
  pdf.end();
  return drawn;

  function drawFooter(number: number): void {
    const baseline = page.height - 24;
    text.draw(text.line(stateOf(document), small), small, page.left, baseline);
    const line = text.line(`Page ${number} of ${pages.length + 1}`, small);
    text.draw(line, small, page.left + width - line.width, baseline);
  }
}

function chartBlocks(document: MonthDocument, frame: Frame): Block[] {
  const color = (place: number) => (place === 0 ? frame.ink : further[Math.min(place - 1, further.length - 1)]!);
  const options = { ...frame, height: (bodyHeight - 40) / 2, color };
  return [
    { ...titleBlock('Usage by day', frame), startsPage: true },
    chartBlock(document, 'cpu', 'CPU, core-minutes per day', options),
    chartBlock(document, 'memory', 'Memory, GiB-minutes per day', options),
  ];
}

/** The title of a part. It also becomes an entry in the outline of the document. */
function titleBlock(title: string, { pdf, text, left, ink }: Frame): Block {
  const style = { size: 15, bold: true, color: ink } as const;
  return {
    height: 40, keepsNext: true,
    draw: (top) => {
      pdf.outline.addItem(title);
      text.draw(text.line(title, style), style, left, top + 28);
    },
  };
}

/** The brand colour, or a substitute if the brand colour is too light for white paper. @param color `#rrggbb` */
function visible(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255) as
    [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > lightest ? substitute : color;
}
