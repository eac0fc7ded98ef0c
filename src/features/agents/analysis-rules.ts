import type { FieldError } from '../../platform/http/errors';
import { jsonBytes } from '../../platform/validation/json-bytes';
import {
  type AgentAnalysis,
  type AnalysisField,
  compilePattern,
  isOfType,
  readSource,
} from './agent-analysis';

/** The size of all fields and criteria, which are a part of each version and each message that offers a call. */
const MAX_KILOBYTES = 64;

/** The steps to which a regular expression compiles. RE2JS does 20 million of them, each on a character, in a second. */
const MAX_STEPS = 300;
const MAX_STEPS_OF_ALL = 1_500;

/** @returns what no single part of an analysis shows to be wrong, by its path */
export function findAnalysisProblems(analysis: AgentAnalysis): FieldError[] {
  if (jsonBytes(analysis) > MAX_KILOBYTES * 1_024)
    return [
      {
        field: 'body',
        message: `the fields and criteria must not be larger than ${MAX_KILOBYTES} KB together, as JSON in UTF-8`,
      },
    ];
  const problems = [
    ...findRepeatedNames(analysis.fields, 'body.fields'),
    ...findRepeatedNames(analysis.criteria, 'body.criteria'),
    ...analysis.fields.flatMap((field, index) => findFieldProblems(field, `body.fields.${index}`)),
  ];
  return problems.length > 0 ? problems : findPatternProblems(analysis);
}

function findRepeatedNames(named: { name: string }[], path: string): FieldError[] {
  const known = new Set<string>();
  return named.flatMap(({ name }, index) => {
    const isRepeated = known.has(name);
    known.add(name);
    return isRepeated
      ? [{ field: `${path}.${index}.name`, message: `name must be unique, and ${name} is not` }]
      : [];
  });
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

/** Compiles the expressions one after the other: the first one that is too large is the last one. */
function findPatternProblems({ fields }: AgentAnalysis): FieldError[] {
  let steps = 0;
  for (const [index, { from }] of fields.entries()) {
    const source = readSource(from);
    if (source?.kind !== 'regex') continue;
    const field = `body.fields.${index}.from`;
    const compiled = compilePattern(source.pattern);
    if (!compiled) return [{ field, message: 'from must have a regular expression of RE2' }];
    steps += compiled.programSize();
    if (compiled.programSize() > MAX_STEPS || steps > MAX_STEPS_OF_ALL)
      return [
        {
          field,
          message: `from has an expression that is too large: one has up to ${MAX_STEPS} steps, and all together ${MAX_STEPS_OF_ALL.toLocaleString('en')}`,
        },
      ];
  }
  return [];
}
