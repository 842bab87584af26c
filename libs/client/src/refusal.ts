import type { Operations } from './generated/api.ts';

/** One problem of a request. `path` is a JSON path in the body, or the name of a parameter. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

/** A code of the OpenAPI document. If the answer has no code: `not_found` for status 404, otherwise `unknown`. */
export type RefusalCode = Operations[keyof Operations]['code'] | 'unknown';

/** An answer with status 400 or more. `code` is for programs, the message is for people. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: RefusalCode;
  /** Identifies the request in the logs; empty if the answer does not contain it. */
  readonly requestId: string;
  readonly violations: readonly Violation[];
  /** Seconds to wait before the next attempt; undefined if the answer has no `Retry-After` in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfter: number | undefined) {
    super(body.message ?? `the call failed with HTTP status ${status}`);
    this.status = status;
    this.code = body.code ?? (status === 404 ? 'not_found' : 'unknown');
    this.requestId = body.requestId ?? '';
    this.violations = body.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

interface ErrorBody {
  message: string;
  code: RefusalCode;
  requestId: string;
  errors: Violation[];
}

/** Reads the refusal from an answer with status 400 or more. The answer may also come from a proxy. */
export async function refusalOf(response: Response): Promise<ApiRefusal> {
  const text = await response.text();
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiRefusal(response.status, parsed(text), Number.isFinite(seconds) ? seconds : undefined);
}

function parsed(text: string): Partial<ErrorBody> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
