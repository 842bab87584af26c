// Claims the state folder that HOLD names. Reports `claimed` or `refused` on the IPC channel. Keeps the claim until the
// process is killed.
import { claimState } from '../claim.ts';

try {
  await claimState(process.env['HOLD']!);
  process.send?.('claimed');
  setInterval(() => undefined, 60_000);
} catch {
  process.send?.('refused', undefined, undefined, () => process.disconnect());
}
