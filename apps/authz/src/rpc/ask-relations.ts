import type { AskRelationsRequest, AskRelationsResponse } from '@platform/proto/authz/v1/decision';
import { Fault, type OutgoingContext } from '@platform/rpc';
import { questionOf } from '../domain/question.ts';
import type { Engine } from '../engine/engine.ts';
import { engineFault } from './engine-fault.ts';

/**
 * Asks which relations a principal holds on a class of objects (authorization.md R5). The fence is read after the
 * answers: answers of a store that was lost before or meanwhile are then seen to be such.
 */
export function askRelations(engine: Engine) {
  return async (request: AskRelationsRequest, { deadline }: OutgoingContext): Promise<AskRelationsResponse> => {
    const { principal, organizationId, objectClass } = request;
    const question = questionOf(principal, organizationId, objectClass);
    if ('impossible' in question) throw new Fault('INVALID_PARAMETER', question.impossible);
    try {
      const { relations, modelId } = await engine.ask(question, deadline);
      const fence = organizationId === 0 ? '' : await engine.fence(organizationId, deadline);
      return { relations, modelId, fence };
    } catch (error) {
      throw engineFault(error);
    }
  };
}
