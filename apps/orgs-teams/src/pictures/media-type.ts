/** Pictures of pixels that uploads may be, by their content. */
export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const signatures: readonly (readonly [RasterType, (start: string) => boolean])[] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/gif', (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.slice(8) === 'WEBP'],
];

/** What a picture is by its first bytes, whatever it is called; undefined for anything else. */
export function rasterTypeOf(content: Uint8Array): RasterType | undefined {
  const start = Buffer.from(content.subarray(0, 12)).toString('latin1');
  return signatures.find(([, begins]) => begins(start))?.[0];
}
