// Claims the state folder in HOLD and reports on the IPC channel whether it succeeded; holds the folder until it is
// killed.
import { claimState } from '../claim.ts';

try {
  await claimState(process.env['HOLD']!);
  process.send?.('claimed');
  setInterval(() => undefined, 60_000);
} catch {
  process.send?.('refused', undefined, undefined, () => process.disconnect());
}
