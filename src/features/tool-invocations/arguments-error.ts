import { findArgumentProblems } from '@parley/voice';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { ApiError } from '../../platform/http/errors';
import { toArgumentRules } from '../tools/argument-rules';
import type { OfferedTool } from '../tools/tool-definition';
import { argumentsInvalid } from './tool-invocations.errors';

const patterns = new LRUCache<string, RE2JS>({
  max: 500,
  memoMethod: (pattern) => RE2JS.compile(pattern),
});

/** @returns 422 if the arguments are not those of the tool */
export function findArgumentsError(tool: OfferedTool, given: Record<string, unknown>): ApiError | undefined {
  const problems = findArgumentProblems(toArgumentRules(tool), given, (pattern) => patterns.memo(pattern));
  return problems.length > 0 ? argumentsInvalid(problems) : undefined;
}
