import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { eventsPage } from './events-page.ts';
import { metricsPage } from './metrics-page.ts';

/** The committed pages that are made from tables of several projects. */
export async function referencePages(): Promise<{ readonly file: string; readonly text: string }[]> {
  return [
    { file: join(root, 'docs/events.md'), text: await eventsPage() },
    { file: join(root, 'docs/metrics.md'), text: metricsPage() },
  ];
}
