/** A text that other people wrote, as plain text, cut to the available width, with the whole text in a hint. */
export function Short({ children, width = 320, mono = false }: { children: string; width?: number; mono?: boolean }) {
  return (
    <span className={mono ? 'short mono' : 'short'} style={{ maxWidth: `min(${width}px, 52vw)` }} dir="auto">
      {children}
    </span>
  );
}
