import { parentPort, workerData } from 'node:worker_threads';
import type { MonthDocument } from './month-document.ts';
import { drawDocument } from './pdf/draw-document.ts';

parentPort!.postMessage(await drawDocument(workerData as MonthDocument));
