import { projects } from './jest.preset.js';

export default {
  projects: projects(),
  testSequencer: './libs/testing/src/jest/mixed-order.js',
  // Servers are shared and each file brings its own database, store and prefix. A file waits a third of its time, so
  // three files at once keep two cores busy.
  maxWorkers: process.env['PLATFORM_TEST_WORKERS'] ?? 3,
  // The first file that asks for a server waits for its start, which on a busy machine takes a while.
  testTimeout: 60_000,
};
