import type { Type } from '@nestjs/common';
import { RequestValidationPipe } from './validation.pipe';

const pipe = new RequestValidationPipe();

const isGiven = ([, value]: [string, unknown]) => value !== undefined;

/** Checks values as the REST API checks a body. @throws 400 */
export const toBody = <Dto extends object>(type: Type<Dto>, values: object): Promise<Dto> =>
  transform('body', type, Object.fromEntries(Object.entries(values).filter(isGiven)));

/** Checks values as the REST API checks a query, whose numbers are texts. @throws 400 */
export const toQuery = <Dto extends object>(type: Type<Dto>, values: object): Promise<Dto> =>
  transform(
    'query',
    type,
    Object.fromEntries(
      Object.entries(values)
        .filter(isGiven)
        .map(([name, value]) => [name, typeof value === 'number' ? String(value) : (value as unknown)]),
    ),
  );

const transform = <Dto>(location: 'body' | 'query', metatype: Type<Dto>, values: object): Promise<Dto> =>
  pipe.transform(values, { type: location, metatype }) as Promise<Dto>;
