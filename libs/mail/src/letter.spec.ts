import { describe, expect, it } from '@jest/globals';
import { html, type Letter, plainText, subjectOf } from './letter.ts';

const letter: Letter = {
  subject: 'Your contract “Production” ends on 1 March 2027',
  blocks: [
    { paragraph: 'Your contract ends in 45 days.' },
    { facts: { Contract: 'Production', 'Valid until': '1 March 2027' } },
    { link: 'https://platform.example.org/contracts/5?a=1&b=2', text: 'Show the contract' },
  ],
};

describe('a letter', () => {
  it('is plain text', () => {
    expect(plainText(letter)).toBe([
      'Your contract ends in 45 days.',
      '',
      '  Contract:    Production',
      '  Valid until: 1 March 2027',
      '',
      'Show the contract:',
      'https://platform.example.org/contracts/5?a=1&b=2',
      '',
    ].join('\n'));
  });

  it('is HTML with the same contents', () => {
    const page = html(letter);
    expect(page).toContain('<p>Your contract ends in 45 days.</p>');
    expect(page).toContain('<th align="left" style="padding-right: 1em">Valid until</th><td>1 March 2027</td>');
    expect(page).toContain('<a href="https://platform.example.org/contracts/5?a=1&amp;b=2">Show the contract</a>');
  });

  it('takes names that customers choose for text, and nothing else', () => {
    const name = '<script>"&\'\r\nBcc: eve@example.org\u2028';
    const hostile: Letter = { subject: name, blocks: [{ paragraph: name }, { facts: { Contract: name } }] };
    const shown = '&lt;script&gt;&quot;&amp;&#39; Bcc: eve@example.org';
    expect(html(hostile)).toContain(`<p>${shown}</p>`);
    expect(html(hostile)).toContain(`<td>${shown}</td>`);
    expect(html(hostile)).toContain(`<title>${shown}</title>`);
    expect(plainText(hostile).split('\n')).toEqual([
      '<script>"&\' Bcc: eve@example.org', '', '  Contract: <script>"&\' Bcc: eve@example.org', '',
    ]);
    expect(subjectOf(hostile)).toBe('<script>"&\' Bcc: eve@example.org');
  });

  it('has a subject of at most 150 characters', () => {
    expect(subjectOf({ subject: '😀'.repeat(151), blocks: [] })).toBe(`${'😀'.repeat(149)}…`);
    expect(subjectOf({ subject: 'x'.repeat(150), blocks: [] })).toBe('x'.repeat(150));
  });
});
