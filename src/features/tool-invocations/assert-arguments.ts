import { findArgumentProblems } from '../tools/tool-arguments';
import type { OfferedTool } from '../tools/tool-definition';
import { findPathProblems } from '../tools/tool-path';
import { argumentsInvalid } from './tool-invocations.errors';

/** @throws 422 if the arguments are not those of the tool */
export function assertArguments(
  { tool_id, server_tool, parameters, url }: OfferedTool,
  given: Record<string, unknown>,
): void {
  // A server checks the arguments of its tools by its own schema.
  if (server_tool !== null) return;
  const problems = [
    ...findArgumentProblems(parameters, given),
    ...(tool_id === null ? [] : findPathProblems(url, given)),
  ];
  if (problems.length > 0) throw argumentsInvalid(problems);
}
