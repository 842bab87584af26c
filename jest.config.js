import { projects } from './jest.preset.js';

export default {
  projects: projects(),
  testSequencer: './libs/testing/src/jest/longest-first.js',
  // Servers are shared and each file brings its own database, store and prefix. Two files at once keep two cores busy
  // most of the time; a third one saves a tenth of a run, and makes waits with a limit fail.
  maxWorkers: process.env['PLATFORM_TEST_WORKERS'] ?? 2,
  // The first file that asks for a server waits for its start, which on a busy machine takes a while.
  testTimeout: 60_000,
};
