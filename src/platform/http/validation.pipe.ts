import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type FieldError, unknownProperty, validationFailed } from './errors';
import { type ItemContext } from '../validation/item-fields';
import { isInheritedName } from '../validation/storable';

class InvalidValue extends Error {
  constructor(readonly problems: ValidationError[]) {
    super('invalid');
  }
}

const LOCATIONS: Partial<Record<ArgumentMetadata['type'], string>> = {
  body: 'body',
  query: 'query',
  param: 'params',
};

/** The invalid items of a list if the field's decorator can name them, else the field. */
function invalidFields({ value, contexts }: ValidationError, constraint: string, field: string): string[] {
  const { isValidItem } = (contexts?.[constraint] ?? {}) as ItemContext;
  if (!isValidItem || !Array.isArray(value)) return [field];
  return value.flatMap((item, index) => (isValidItem(item) ? [] : `${field}.${index}`));
}

function fieldErrors(
  problem: ValidationError,
  constraint: string,
  message: string,
  field: string,
): FieldError[] {
  if (constraint === 'whitelistValidation') return [unknownProperty(field, problem.property)];
  if (problem.value === undefined) return [{ field, message: `${problem.property} is missing` }];
  return invalidFields(problem, constraint, field).map((at) => ({ field: at, message }));
}

export function describeProblems(problems: ValidationError[], path: string): FieldError[] {
  return problems.flatMap((problem) => {
    const field = `${path}.${problem.property}`;
    return [
      ...Object.entries(problem.constraints ?? {}).flatMap(([constraint, message]) =>
        fieldErrors(problem, constraint, message, field),
      ),
      ...describeProblems(problem.children ?? [], field),
    ];
  });
}

/** Converts plain values to DTOs. @throws 400 with one error a field, named by its location and path */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      exceptionFactory: (problems) => new InvalidValue(problems),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // The pipe leaves out texts of the path, and what our own decorators take from the request.
    if (metadata.type === 'custom' || metadata.metatype === String) return value;
    const location = LOCATIONS[metadata.type] ?? metadata.type;
    const names = ['body', 'query'].includes(metadata.type) ? Object.keys(value ?? {}) : [];
    const dropped = names.filter(isInheritedName);
    if (dropped.length > 0) {
      throw validationFailed(dropped.map((name) => unknownProperty(`${location}.${name}`, name)));
    }
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw validationFailed(describeProblems(error.problems, location));
    }
  }
}
