import { z } from 'zod';
import { type FieldError, unknownProperty, validationFailed } from '../../platform/http/errors';

/**
 * The schema that the protocol shows. It refuses nothing, because a refusal of the library has no code of ours:
 * {@link readArguments} does.
 */
export const showArguments = (input: z.ZodObject) => ({
  '~standard': { ...input['~standard'], validate: (value: unknown) => ({ value }) },
});

const withArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const TYPES: Record<string, string> = { int: 'integer', record: 'object' };

/** The words of the REST API for a value that is not valid. undefined: the schema has its own. */
function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is missing';
    return `must be ${withArticle(TYPES[issue.expected] ?? issue.expected)}`;
  }
  if (issue.code === 'invalid_value')
    return `must be one of the following values: ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') {
    if (issue.origin !== 'string') return `must not be greater than ${issue.maximum}`;
    return `must be shorter than or equal to ${issue.maximum} characters`;
  }
  if (issue.code === 'too_small') {
    if (issue.origin !== 'string') return `must not be less than ${issue.minimum}`;
    return `must be longer than or equal to ${issue.minimum} characters`;
  }
  return issue.code === 'invalid_key' ? 'has a name that is too long' : undefined;
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => unknownProperty([...path, name].join('.'), name));
  return [{ field: path.join('.'), message: `${path.at(-1)} ${issue.message}` }];
}

/** Checks the arguments of a tool. @throws 400 with one error an argument, as the REST API */
export function readArguments(input: z.ZodObject, given: unknown): Record<string, unknown> {
  const { data, error } = input.safeParse(given, { error: describeProblem });
  if (error) throw validationFailed(error.issues.flatMap(toFieldErrors));
  return data;
}
