import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type FieldError, validationFailed } from './errors';

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

export function describeProblems(problems: ValidationError[], path: string): FieldError[] {
  return problems.flatMap((problem) => {
    const field = `${path}.${problem.property}`;
    const messages = Object.entries(problem.constraints ?? {}).map(([constraint, message]) =>
      constraint === 'whitelistValidation' ? `${problem.property} is not a known property` : message,
    );
    return [
      ...messages.map((message) => ({ field, message })),
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
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw validationFailed(describeProblems(error.problems, LOCATIONS[metadata.type] ?? metadata.type));
    }
  }
}
