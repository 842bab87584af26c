/** A text on one line. If it does not fit, it is cut off, and a hint shows more of it. */
export function Short({ children, width = 320, mono = false }: { children: string; width?: number; mono?: boolean }) {
  return (
    <span className={mono ? 'short mono' : 'short'} style={{ maxWidth: `min(${width}px, 52vw)` }} dir="auto">
      {children}
    </span>
  );
}
