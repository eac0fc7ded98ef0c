import type { ApiError } from '../../platform/http/errors';
import { findArgumentProblems } from '../tools/tool-arguments';
import type { OfferedTool } from '../tools/tool-definition';
import { findPathProblems } from '../tools/tool-path';
import { argumentsInvalid } from './tool-invocations.errors';

/** @returns 422 if the arguments are not those of the tool */
export function findArgumentsError(
  { tool_id, server_tool, parameters, url, fixed }: OfferedTool,
  given: Record<string, unknown>,
): ApiError | undefined {
  const isFixed = (name: string) => Object.hasOwn(fixed, name);
  const problems = [
    ...Object.keys(given)
      .filter(isFixed)
      .map((name) => ({ field: `body.arguments.${name}`, message: `${name} is no parameter` })),
    // A server checks the arguments of its tools by its own schema.
    ...(server_tool === null ? findArgumentProblems(parameters, given) : []),
    ...(server_tool === null && tool_id !== null ? findPathProblems(url, given) : []),
  ];
  return problems.length > 0 ? argumentsInvalid(problems) : undefined;
}
