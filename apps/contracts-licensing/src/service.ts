import { defineService } from '@platform/service';
import { picks } from './config.ts';
import { start } from './start.ts';

export const service = defineService('contracts-licensing', picks, start);
