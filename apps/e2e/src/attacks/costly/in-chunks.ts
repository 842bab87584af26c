/** A body in about this many chunks of HTTP/1.1 of equal size. */
export function inChunks(body: Buffer, count: number): Buffer {
  const bytes = body.toString('latin1');
  const size = Math.max(1, Math.ceil(bytes.length / count));
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return Buffer.from(`${chunks.join('')}0\r\n\r\n`, 'latin1');
}
