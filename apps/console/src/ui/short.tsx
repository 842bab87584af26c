import { hint } from './hints.tsx';

/** Shorter texts than this always have room. */
const isShort = 24;

/** A text of others: cut to the room that it has, the whole in a hint. Never anything but text. */
export function Short({ children, width = 320, mono = false }: { children: string; width?: number; mono?: boolean }) {
  return (
    <span
      className={mono ? 'short mono' : 'short'}
      style={{ maxWidth: `min(${width}px, 72vw)` }}
      dir="auto"
      {...(children.length >= isShort && hint(children.slice(0, 600)))}
    >
      {children}
    </span>
  );
}
