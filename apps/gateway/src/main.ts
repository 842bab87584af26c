import { runMain } from '@platform/service';
import { service } from './service.ts';

await runMain(service);
