import { Fault } from '@platform/faults';
import type { Deadline, Secret } from '@platform/service';
import { askWithToken, isSuccess, type ProviderAnswer, ProviderRefusal, textOf } from '../providers/provider-http.ts';

/** The metered-billing proxy of another platform. It reports usage to the marketplace (open-points 11.6). */
interface MeteringProxy {
  readonly hostedBaseUrl: string;
  readonly token: Secret | undefined;
  readonly provider: 'providera' | 'providerc';
}

const name = 'the metered-billing proxy';

function ask(
  { hostedBaseUrl, token, provider }: MeteringProxy, path: string, deadline: Deadline, json?: object,
): Promise<ProviderAnswer> {
  const address = `${hostedBaseUrl}/api/v1/proxy/metered-billing/marketplaces/${provider}/${path}`;
  return askWithToken(name, address, token?.reveal(), deadline, json);
}

/** @throws ProviderRefusal with the error of the proxy; Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded */
export async function reportThrough(proxy: MeteringProxy, report: object, deadline: Deadline): Promise<void> {
  const answer = await ask(proxy, 'report-usage', deadline, report);
  // A success without JSON does not come from the proxy, so the address belongs to another server.
  if (isSuccess(answer) && answer.json !== undefined) return;
  const { status, json } = answer;
  throw new ProviderRefusal({
    code: textOf(json, 'code') || String(status),
    message: textOf(json, 'message') || `${name} did not accept the report: it answered with status ${status}`,
    error: json ?? {},
  });
}

/** Checks that the proxy can be reached and is ready. @throws Fault BAD_UPSTREAM; DeadlineExceeded */
export async function pingProxy(proxy: MeteringProxy, deadline: Deadline): Promise<void> {
  let status: number;
  try {
    ({ status } = await ask(proxy, 'check/readiness', deadline));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('BAD_UPSTREAM', `${name} cannot be reached`, { cause: error });
  }
  if (status !== 200) throw new Fault('BAD_UPSTREAM', `${name} is not ready: it answered with status ${status}`);
}
