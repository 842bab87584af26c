import type { FormEvent } from 'react';

/** Returns a handler that submits a form without leaving the page. */
export function onSubmit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}
