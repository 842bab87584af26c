/** The content of a mail, without markup. The plain text and the HTML of the mail are made from it. */
export interface Letter {
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** If absent, the mail shows neither a logo nor the name of a brand. */
  readonly brand?: LetterBrand;
}

/** The branding of a deployment, as mails show it (spec §4.8). */
export interface LetterBrand {
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** A PNG of at most 320 × 96 pixels. */
  readonly logo: Buffer;
}

export const logoId = 'logo@platform';

/** A paragraph, a table of names and values, or a link on a line of its own. */
export type Block =
  | { readonly paragraph: string }
  | { readonly facts: Readonly<Record<string, string>> }
  | { readonly link: string; readonly text: string };

const longestSubject = 150;

/** Returns the subject as one line. A long subject is cut, because customers can choose long names. */
export function subjectOf({ subject }: Letter): string {
  const line = [...inOneLine(subject)];
  return line.length <= longestSubject ? line.join('') : `${line.slice(0, longestSubject - 1).join('')}…`;
}

export function plainText({ blocks, brand }: Letter): string {
  const signature = brand === undefined ? '' : `\n-- \n${inOneLine(brand.name)}\n`;
  return `${blocks.map(plainBlock).join('\n\n')}\n${signature}`;
}

export function html(letter: Letter): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(subjectOf(letter))}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5; color: #1f2933; max-width: 40em">',
    ...headOf(letter),
    ...letter.blocks.map((block) => htmlBlock(block, letter.brand)),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function plainBlock(block: Block): string {
  if ('paragraph' in block) return inOneLine(block.paragraph);
  if ('link' in block) return `${inOneLine(block.text)}:\n${block.link}`;
  const facts = Object.entries(block.facts);
  const width = Math.max(...facts.map(([name]) => name.length)) + 1;
  return facts.map(([name, value]) => `  ${`${name}:`.padEnd(width)} ${inOneLine(value)}`).join('\n');
}

/** Returns the logo and the name of the brand. Mail programs that show no pictures still show the name. */
function headOf({ brand }: Letter): string[] {
  if (brand === undefined) return [];
  return [
    `<p style="border-bottom: 3px solid ${colorOf(brand)}; padding-bottom: 12px; font-size: 18px">`
    + `<img src="cid:${logoId}" alt="" height="40" style="height: 40px; vertical-align: middle; margin-right: 12px">`
    + `<strong>${escaped(inOneLine(brand.name))}</strong></p>`,
  ];
}

function htmlBlock(block: Block, brand: LetterBrand | undefined): string {
  if ('paragraph' in block) return `<p>${escaped(inOneLine(block.paragraph))}</p>`;
  if ('link' in block) {
    const style = brand === undefined ? '' : ` style="${buttonStyle(brand)}"`;
    return `<p><a href="${escaped(block.link)}"${style}>${escaped(inOneLine(block.text))}</a></p>`;
  }
  const rows = Object.entries(block.facts).map(([name, value]) =>
    `<tr><th align="left" style="padding-right: 1em">${escaped(name)}</th><td>${escaped(inOneLine(value))}</td></tr>`);
  return `<table>\n${rows.join('\n')}\n</table>`;
}

/** Returns the color of the brand, or a default if it is not `#rrggbb`: other text could add styles to the HTML. */
function colorOf({ color }: LetterBrand): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : '#2563eb';
}

/** The text of the button is black or white, whichever contrasts more with the color (WCAG 2.2, 1.4.3). */
function buttonStyle(brand: LetterBrand): string {
  const color = colorOf(brand);
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
  return 'display: inline-block; padding: 10px 20px; border-radius: 6px; text-decoration: none; '
    + `font-weight: bold; background: ${color}; color: ${isLight ? '#000000' : '#ffffff'}`;
}

/** Replaces control characters and line breaks by spaces, so that a value cannot look like several lines of a mail. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
