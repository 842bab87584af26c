/** What a terminal acts on or hides: control, bidirectional, zero-width and other format characters, line breaks. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text whose characters can all be seen: the others are escaped as JSON escapes them, `\u202e`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
