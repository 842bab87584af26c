/** What a mail says, from which its plain text and its HTML are made. Texts are plain text: any character is safe. */
export interface Letter {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** A paragraph, a table of names and values, or a link on a line of its own. */
export type Block =
  | { readonly paragraph: string }
  | { readonly facts: Readonly<Record<string, string>> }
  | { readonly link: string; readonly text: string };

/** A subject in one line. Longer ones are cut: names that customers choose are part of it. */
export function subjectOf({ subject }: Letter): string {
  const line = [...inOneLine(subject)];
  return line.length <= longestSubject ? line.join('') : `${line.slice(0, longestSubject - 1).join('')}…`;
}

export function plainText({ blocks }: Letter): string {
  return `${blocks.map(plainBlock).join('\n\n')}\n`;
}

export function html(letter: Letter): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(subjectOf(letter))}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5; color: #1f2933; max-width: 40em">',
    ...letter.blocks.map(htmlBlock),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const longestSubject = 150;

function plainBlock(block: Block): string {
  if ('paragraph' in block) return inOneLine(block.paragraph);
  if ('link' in block) return `${inOneLine(block.text)}:\n${block.link}`;
  const facts = Object.entries(block.facts);
  const width = Math.max(...facts.map(([name]) => name.length)) + 1;
  return facts.map(([name, value]) => `  ${`${name}:`.padEnd(width)} ${inOneLine(value)}`).join('\n');
}

function htmlBlock(block: Block): string {
  if ('paragraph' in block) return `<p>${escaped(inOneLine(block.paragraph))}</p>`;
  if ('link' in block) return `<p><a href="${escaped(block.link)}">${escaped(inOneLine(block.text))}</a></p>`;
  const rows = Object.entries(block.facts).map(([name, value]) =>
    `<tr><th align="left" style="padding-right: 1em">${escaped(name)}</th><td>${escaped(inOneLine(value))}</td></tr>`);
  return `<table>\n${rows.join('\n')}\n</table>`;
}

/** Line breaks and other control characters in a value would look like lines of our own. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
