import type { FieldError } from '../../platform/http/errors';
import { findRepeatedNames } from '../../platform/http/repeated-names';
import { jsonBytes } from '../../platform/validation/json-bytes';
import { Expressions } from '../../platform/validation/re2';
import { type AgentAnalysis, type AnalysisField, isOfType, readSource } from './agent-analysis';

/** The size of all fields and criteria, which are a part of each version and each message that offers a call. */
const MAX_KILOBYTES = 64;

/**
 * @param path of the analysis in the body
 * @returns what no single part of an analysis shows to be wrong, by its path
 */
export function findAnalysisProblems(analysis: AgentAnalysis, path: string): FieldError[] {
  if (jsonBytes(analysis) > MAX_KILOBYTES * 1_024)
    return [
      {
        field: path,
        message: `the fields and criteria must not be larger than ${MAX_KILOBYTES} KB together, as JSON in UTF-8`,
      },
    ];
  const problems = [
    ...findRepeatedNames(analysis.fields, `${path}.fields`),
    ...findRepeatedNames(analysis.criteria, `${path}.criteria`),
    ...analysis.fields.flatMap((field, index) => findFieldProblems(field, `${path}.fields.${index}`)),
  ];
  return problems.length > 0 ? problems : findPatternProblems(analysis, path);
}

function findFieldProblems({ type, enum: choices, from }: AnalysisField, path: string): FieldError[] {
  const problems: FieldError[] = [];
  if (choices && (type === 'boolean' || !choices.every(isOfType[type]))) {
    const demand = type === 'boolean' ? 'must be left out for' : 'must have values of';
    problems.push({ field: `${path}.enum`, message: `enum ${demand} the type ${type}` });
  }
  if (!readSource(from))
    problems.push({
      field: `${path}.from`,
      message: 'from must be model, variable:NAME, tool:NAME#/pointer or regex:EXPRESSION',
    });
  return problems;
}

/** Compiles the expressions one after the other, up to the first problem. */
function findPatternProblems({ fields }: AgentAnalysis, path: string): FieldError[] {
  const expressions = new Expressions();
  for (const [index, { from }] of fields.entries()) {
    const source = readSource(from);
    if (source?.kind !== 'regex') continue;
    const problem = expressions.findProblem(source.pattern);
    if (problem !== undefined)
      return [{ field: `${path}.fields.${index}.from`, message: `The expression of from ${problem}` }];
  }
  return [];
}
