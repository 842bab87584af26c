// An agent in a separate process: it sends events in order, repeats each until the bus has acknowledged it, and prints
// the number of each acknowledged event. Its task is JSON in AGENT_TASK.
import { setTimeout as pause } from 'node:timers/promises';
import { type BusConnection, connectBus } from '@platform/bus';
import { type AgentTask, eventText } from './counted-events.ts';

/** Number of events in transit to the bus. */
const senders = 64;
const connectMs = 2_000;
const answerMs = 5_000;
const againMs = 100;

const task = JSON.parse(process.env['AGENT_TASK']!) as AgentTask;
/** Events that were sent, and perhaps stored, but not acknowledged. */
const failed: number[] = [];
let next = task.from;
const take = (): number | undefined => failed.pop() ?? (next < task.events ? next++ : undefined);

/** Sends on one connection until nothing is left to send, or the bus refuses an event. */
async function sendAll(connection: BusConnection): Promise<void> {
  let isLost = false;
  await Promise.all(Array.from({ length: senders }, async () => {
    while (!isLost) {
      const number = take();
      if (number === undefined) return;
      const isTaken = await connection.request(task.subject, eventText(task, number), answerMs)
        .then(({ text }) => Number((JSON.parse(text) as { seq?: number }).seq) > 0, () => false);
      if (isTaken) {
        process.stdout.write(`${number}\n`);
      } else {
        failed.push(number);
        isLost = true;
      }
    }
  }));
}

while (failed.length > 0 || next < task.events) {
  const connection = await connectBus(task, connectMs).catch(() => undefined);
  if (connection !== undefined) {
    await sendAll(connection);
    await connection[Symbol.asyncDispose]();
  }
  if (failed.length > 0 || next < task.events) await pause(againMs);
}
