import type { Answer } from '@platform/http';

/** A public route (GET and HEAD) that the server answers itself, such as a health check or a page. */
export interface LocalRoute {
  /** Without parameters. */
  readonly path: string;
  /** Not rate limited: for health checks. */
  readonly unlimited?: true;
  answer(): Answer | Promise<Answer>;
}
