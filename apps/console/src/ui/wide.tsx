import type { ReactNode } from 'react';

/** What may be wider than the screen: it scrolls, also by the keyboard. */
export function Wide({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="rows" role="region" aria-label={of} tabIndex={0}>
      {children}
    </div>
  );
}
