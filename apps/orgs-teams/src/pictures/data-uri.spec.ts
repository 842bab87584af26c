import { describe, expect, it } from '@jest/globals';
import { readDataUri, toDataUri } from './data-uri.ts';

describe('a picture in a text', () => {
  it.each([
    ['data:image/png;base64,AAEC', [0, 1, 2]],
    ['data:;base64,AAEC', [0, 1, 2]],
    ['DATA:image/png;charset=x;BASE64,AAEC', [0, 1, 2]],
    ['AAEC', [0, 1, 2]],
    ['AA\r\nEC\n', [0, 1, 2]],
    ['AAE=', [0, 1]],
    ['AAE', [0, 1]],
    ['AA==', [0]],
    ['data:image/png;base64,%2B%2f8%3D', [251, 255]],
    ['data:image/svg+xml,%3Csvg%2F%3E', [...Buffer.from('<svg/>')]],
    ['data:image/svg+xml;utf8,<svg>ä</svg>', [...Buffer.from('<svg>ä</svg>')]],
    ['data:image/svg+xml,a%FFb%', [0x61, 0xff, 0x62, 0x25]],
  ])('%j', (text, bytes) => {
    expect([...readDataUri(text)!]).toEqual(bytes);
  });

  it.each(['', 'data:', 'data:,', 'data:image/png;base64,', 'A', 'AA=', 'AAEC=', 'A-_A', 'AA*=', 'http://example.com/a.png', 'data:image/png;base64,é'])(
    'is not in %j', (text) => {
      expect(readDataUri(text)).toBeUndefined();
    },
  );

  it('comes back as it went in', () => {
    const content = Buffer.from([0, 255, 128, 7]);
    expect(readDataUri(toDataUri('image/png', content))?.equals(content)).toBe(true);
  });
});
