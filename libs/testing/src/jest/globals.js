// `@jest/globals` for spec files (runtime.js). Modules with shared cases outlive the file that loads them first, so
// these are bindings that change with the running file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

/** @param globals jest's functions for the file that runs next */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
