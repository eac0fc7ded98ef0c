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

/** A parameter `a.b` of a query is the member `b` of the object `a`. */
function nestMembers(query: Record<string, unknown>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    const [, object = '', member = ''] = /^([a-z]{1,60})\.([a-z]\w{0,59})$/.exec(name) ?? [];
    const isMember = object !== '' && ![object, member].some(isInheritedName) && query[object] === undefined;
    if (isMember) nested[object] = Object.assign(nested[object] ?? {}, { [member]: value });
    else nested[name] = value;
  }
  return nested;
}

/** The invalid items of a list, or members of an object, if the field's decorator can name them, else the field. */
function invalidFields({ value, contexts }: ValidationError, constraint: string, field: string): string[] {
  const { isValidItem, isValidMember } = (contexts?.[constraint] ?? {}) as ItemContext;
  if (isValidMember && typeof value === 'object') {
    const names = Object.keys(value as object).filter(
      (name) => !isValidMember((value as Record<string, unknown>)[name]),
    );
    return names.length > 0 ? names.map((name) => `${field}.${name}`) : [field];
  }
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
      const isNested = metadata.type === 'query' && names.some((name) => name.includes('.'));
      const given = isNested ? nestMembers(value as Record<string, unknown>) : value;
      return (await super.transform(given, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw validationFailed(describeProblems(error.problems, location));
    }
  }
}
