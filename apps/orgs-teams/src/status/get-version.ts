import type { VersionServiceService } from '@platform/proto/version/v1/version';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';

/** GET /version (open-points 14). */
export function getVersion(): Handler<typeof VersionServiceService.getVersion> {
  return async () => ({ version: platformVersion });
}
