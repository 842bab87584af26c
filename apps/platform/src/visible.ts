/** Characters that control a terminal or are invisible: control, bidirectional, zero-width and others, line breaks. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text in which all characters are visible. Other characters are escaped as in JSON, `\u202e`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
