import type { FormEvent } from 'react';

/** Returns a submit handler that calls `act`. The browser itself does not submit the form. */
export function onSubmit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}
