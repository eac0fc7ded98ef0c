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

/** The items of a list that a field's decorator can tell from the good ones, else the field. */
function fieldsAtFault({ value, contexts }: ValidationError, constraint: string, field: string): string[] {
  const { isGoodItem } = (contexts?.[constraint] ?? {}) as ItemContext;
  if (!isGoodItem || !Array.isArray(value)) return [field];
  return value.flatMap((item, index) => (isGoodItem(item) ? [] : `${field}.${index}`));
}

function fieldErrors(
  problem: ValidationError,
  constraint: string,
  message: string,
  field: string,
): FieldError[] {
  if (constraint === 'whitelistValidation') return [unknownProperty(field, problem.property)];
  if (problem.value === undefined) return [{ field, message: `${problem.property} is missing` }];
  return fieldsAtFault(problem, constraint, field).map((at) => ({ field: at, message }));
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

/** Turns plain values into DTOs; what does not fit is a 400 with one entry a field, named by location and dots. */
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
