/** A wording that is hard to read. */
interface Wording {
  pattern: RegExp;
  because: string;
}

const wordings: readonly Wording[] = [
  {
    pattern: /(?<!\bthere (?:\w+ )?)\b(?:is|are|was|were) none\b/gi,
    because: 'say what is wrong or missing: an invalid …, not a …, no …',
  },
  { pattern: /\bthose of which\b|\bnor of (?:one|it)\b/g, because: 'name what is meant, in place of a pronoun' },
  { pattern: /\b(?:an|the) own\b/gi, because: 'say whose: their own, of its own' },
  { pattern: /\b(?:is|are|was|were|be) had\b/g, because: 'say available, free or works' },
  {
    pattern: /(?:\b(?:as|because|before|for|if|names|not|of|once|than|to|try|until|when|while|with) |, )that one\b/g,
    because: 'name what is meant, in place of `that one`',
  },
  {
    pattern: new RegExp(
      String.raw`(?:^[^\w\n]*|[.:;,] |['"\`]|\b(?:and|because|but|only|so|that) )what (?:is|are|was|were) `
      + String.raw`(?:(?!(?:it|that|they|what|which)\b)[\w'\`-]+ ){1,6}(?:is|are|was|were)\b`,
      'gim',
    ),
    because: 'name the subject of the sentence, in place of `what is …`',
  },
];

/** Returns the unclear wordings of a text as `file:line: reason`, also those that continue on the next line. */
export function wordingFindings(file: string, text: string): string[] {
  const { joined, starts } = joinWrapped(text, file.endsWith('.md'));
  const findings = wordings.flatMap(({ pattern, because }) => [...joined.matchAll(pattern)].map(({ index }) => {
    return { line: starts.findLastIndex((start) => start <= index) + 1, because };
  }));
  findings.sort((one, other) => one.line - other.line);
  return [...new Set(findings.map(({ line, because }) => `${file}:${line}: ${because}`))];
}

/** The start of a comment line. The marker ends with the character that the next line of the comment starts with. */
const comment = /^\s*(?:\/\/+|\/?\*+(?!\/)|#+|--)/;
const continuedString = /^\s*\+ ['"`]/;
const startsMarkdownBlock = /^\s*(?:[-*]|\d+\.|#+|>) |^\s*(?:\||```)/;

/**
 * Joins the lines of each comment, of each string that continues on further lines, and of each Markdown paragraph.
 * Removes the markers between them.
 * @returns the joined text, and where each line starts in it
 */
function joinWrapped(text: string, isMarkdown: boolean): { joined: string; starts: number[] } {
  const starts: number[] = [];
  let joined = '';
  let before = '';
  for (const line of text.split('\n')) {
    const [marker = ''] = isMarkdown ? [] : comment.exec(line) ?? [];
    const kind = isMarkdown ? line.trim() && 'paragraph' : marker.slice(-1);
    const startsBlock = isMarkdown ? startsMarkdownBlock.test(line) : marker.includes('/*');
    const isContinued = continuedString.test(line) && /['"`]$/.test(joined);
    if (isContinued) joined = joined.slice(0, -1);
    else joined += kind !== '' && kind === before && !startsBlock ? ' ' : '\n';
    starts.push(joined.length);
    joined += isContinued ? line.replace(continuedString, '') : line.slice(marker.length).trim();
    before = kind;
  }
  return { joined, starts };
}
