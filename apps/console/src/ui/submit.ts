import type { FormEvent } from 'react';

/** Submits a form without leaving the page. */
export function onSubmit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}
