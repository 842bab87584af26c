// Sends events of one byte as fast as the bus accepts them, in its own process so that it does not delay the measuring
// process. A real member has its own machine. So this process has a lower priority than the platform.
// Environment: URL, CREDENTIALS, SUBJECT, COUNT. Prints a line once it has begun.
import { constants, setPriority } from 'node:os';
import { connectBus } from '@platform/bus';

const { URL: url = '', CREDENTIALS: credentials = '', SUBJECT: subject = '', COUNT: count = '0' } = process.env;
const atOnce = 500;

setPriority(constants.priority.PRIORITY_LOW);

await using connection = await connectBus({ url, credentials }, 20_000);
for (let sent = 0; sent < Number(count); sent += atOnce) {
  await Promise.all(Array.from({ length: atOnce }, () => connection.publish(subject, 'x')));
  if (sent === 0) console.log('begun');
}
