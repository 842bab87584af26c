import type { ListenerServiceService } from '@platform/proto/marketplace/v1/listener';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';

/** GET /marketplace/api/v1/version (spec §4.9). */
export const getListenerVersion: Handler<typeof ListenerServiceService.getListenerVersion> =
  async () => ({ version: platformVersion });
