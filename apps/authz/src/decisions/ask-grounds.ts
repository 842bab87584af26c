import { Fault } from '@platform/faults';
import type { AskGroundsRequest, AskGroundsResponse } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import { groundsQuestion } from '../domain/question.ts';
import type { Engine } from '../engine/engine.ts';
import { throwFault } from './engine-fault.ts';

/**
 * Asks the engine for the grounds of a principal: the principal's relations to an organization, from which decisions
 * follow (authorization.md R5). Reads the fence after the grounds. If `fence` is empty, the caller must not use the
 * grounds, because the engine may have lost tuples of the organization.
 */
export function askGrounds(engine: Engine) {
  return async (request: AskGroundsRequest, { deadline }: OutgoingContext): Promise<AskGroundsResponse> => {
    const { principal, organizationId } = request;
    const question = groundsQuestion(principal, organizationId);
    if ('impossible' in question) throw new Fault('INVALID_PARAMETER', question.impossible);
    const { relations, modelId } = await engine.ask(question, deadline).catch(throwFault);
    return { grounds: relations, modelId, fence: await engine.fence(organizationId, deadline).catch(throwFault) };
  };
}
