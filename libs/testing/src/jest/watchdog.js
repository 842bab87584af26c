import { writeSync } from 'node:fs';
import { parentPort, Worker } from 'node:worker_threads';

/** A spec file that takes longer than this counts as hanging, in milliseconds. The slowest file takes five minutes. */
const longestMs = Number(process.env.PLATFORM_TEST_FILE_MS ?? 15 * 60_000);

/**
 * Watches the spec files of this process from another thread, so that a file which blocks the process is noticed, too.
 * If a file takes too long, the watchdog names what the file was doing and ends the process. jest then counts the file
 * as failed and continues with the next one. jest's own limits apply to tests and hooks only.
 */
export function watchdog() {
  const thread = new Worker(new URL(import.meta.url));
  thread.unref();
  return {
    /** Sets the current step of the file, which is reported if the file hangs. */
    does: (step) => thread.postMessage({ step }),
    begins: (file) => thread.postMessage({ file, step: 'loading' }),
    ends: () => thread.postMessage({ file: undefined }),
  };
}

let timer;
let watched = {};
parentPort?.on('message', (message) => {
  watched = { ...watched, ...message };
  if (!('file' in message)) return;
  clearTimeout(timer);
  if (message.file !== undefined) timer = setTimeout(end, longestMs);
});

function end() {
  // Do not use console.error: its text passes through the main thread, which may be blocked.
  writeSync(2, `${watched.file} did not end within ${longestMs} ms; its last step: ${watched.step}\n`);
  process.kill(process.pid, 'SIGKILL');
}
