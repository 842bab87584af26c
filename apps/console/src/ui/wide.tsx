import type { ReactNode } from 'react';

/** Content that may be wider than the screen: it scrolls, also with the keyboard. */
export function Wide({ of, children }: { of: string; children: ReactNode }) {
  return <div className="rows" role="region" aria-label={of} tabIndex={0}>{children}</div>;
}
