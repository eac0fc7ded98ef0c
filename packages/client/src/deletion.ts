import { ParleyError } from './errors';
import { hasNoAnswer } from './retries';

/**
 * The attempts of a deletion. If one got no answer and a later one finds nothing, it has been done. The library and the
 * console share it.
 * @param attempt throws a ParleyError for a refusal, or if there is no answer
 * @param done the answer then
 */
export function asDeletion<Answer>(attempt: () => Promise<Answer>, done: Answer): () => Promise<Answer> {
  let isUncertain = false;
  return async () => {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      // The 404 of a proxy says nothing about what was to be deleted.
      if (isUncertain && error.status === 404 && error.code !== 'INVALID_RESPONSE') return done;
      isUncertain ||= hasNoAnswer(error);
      throw error;
    }
  };
}
