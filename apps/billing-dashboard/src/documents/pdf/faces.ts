import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { toTrueType } from './sfnt.ts';

interface FaceFile {
  readonly path: () => string;
  /** Characters for which this face is tried. If absent, the face is tried for all characters. */
  readonly holds?: RegExp;
}

/** Matches text whose letters need no shaping. The faces `plain` and `plainBold` are used for this text. */
export const latin1 = /^[\x20-\x7E\xA1-\xAC\xAE-\xFF]*$/;
const { resolve } = createRequire(import.meta.url);
const noto = (name: string, file: string) => () => join(dirname(resolve(`@embedpdf/fonts-${name}`)), '../fonts', file);
const [regular, bold] = [noto('latin', 'NotoSans-Regular.ttf'), noto('latin', 'NotoSans-Bold.ttf')];

/**
 * The faces are tried in this order. Noto Sans has Latin, Greek, Cyrillic and Devanagari. Unifont has the Basic
 * Multilingual Plane.
 */
const faces = {
  plain: { path: regular, holds: latin1 },
  plainBold: { path: bold, holds: latin1 },
  emoji: {
    path: () => resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'),
    holds: /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u,
  },
  regular: { path: regular },
  bold: { path: bold },
  arabic: { path: noto('arabic', 'NotoNaskhArabic-Regular.ttf'), holds: /\p{Script=Arabic}/u },
  hebrew: { path: noto('hebrew', 'NotoSansHebrew-Regular.ttf'), holds: /\p{Script=Hebrew}/u },
  hanKana: {
    path: noto('sc', 'NotoSansHans-Regular.otf'),
    holds: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u,
  },
  hangul: { path: noto('kr', 'NotoSansKR-Regular.otf'), holds: /\p{Script=Hangul}/u },
  anything: { path: () => resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff') },
} satisfies Readonly<Record<string, FaceFile>>;

export type FaceName = keyof typeof faces;

const plainFaces: readonly FaceName[] = ['plain', 'plainBold'];
const boldFaces: readonly FaceName[] = ['plainBold', 'bold'];
const lightFaces: readonly FaceName[] = ['plain', 'regular'];

/** A text with one writing direction, and a face that has all its characters. */
export interface Run {
  readonly face: FaceName;
  readonly text: string;
}

/** Matches joiners and variation selectors. They are dropped if a face lacks them. */
const invisible = /[\u200C\u200D\uFE00-\uFE0F]/gu;
const mostKnown = 20_000;

/**
 * Returns a function that finds a face for a grapheme cluster. The plain faces are read now, and other faces when they
 * are first tried.
 */
export function createFaces(pdf: PDFKit.PDFDocument): (cluster: string, isBold: boolean) => Run {
  const fonts = new Map<FaceName, Font>();
  const known = new Map<string, Run>();
  const open = (face: FaceName): Font => {
    const content = toTrueType(readFileSync(faces[face].path()), plainFaces.includes(face));
    pdf.registerFont(face, content);
    const font = create(content) as Font;
    fonts.set(face, font);
    return font;
  };
  // Latin text uses these faces without a search, so they are registered now.
  plainFaces.forEach(open);
  const has = (face: FaceName, text: string): boolean => {
    const font = fonts.get(face) ?? open(face);
    return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0)!));
  };
  const find = (cluster: string, isBold: boolean): Run => {
    for (const [face, { holds }] of Object.entries(faces) as [FaceName, FaceFile][]) {
      if ((isBold ? lightFaces : boldFaces).includes(face) || holds?.test(cluster) === false) continue;
      if (has(face, cluster)) return { face, text: cluster };
      const visible = cluster.replaceAll(invisible, '');
      if (visible !== '' && has(face, visible)) return { face, text: visible };
    }
    // No face contains the grapheme cluster, so its code points are shown.
    const numbers = [...cluster].map((character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase()}]`);
    return { face: isBold ? 'plainBold' : 'plain', text: numbers.join('') };
  };
  return (cluster, isBold) => {
    const key = `${isBold ? 'bold' : 'light'} ${cluster}`;
    const found = known.get(key) ?? find(cluster, isBold);
    if (known.size < mostKnown) known.set(key, found);
    return found;
  };
}
