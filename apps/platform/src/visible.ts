/** Control characters, line breaks, and invisible characters such as zero-width and bidirectional characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes the characters of a text that would not be visible, as in JSON: `\u202e`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
