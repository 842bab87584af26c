/** Control characters, line breaks, and invisible format characters such as zero-width spaces. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces control characters, line breaks and invisible characters with JSON escapes such as `\u202e`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
