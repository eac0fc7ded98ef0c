import { parse } from 'csv-parse/sync';
import { MulterError } from 'multer';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { errors as undiciErrors } from 'undici';
import { errorToLog } from './error-to-log';

const SECRET = 'the prompt of a client';

/** An error as pg creates it. */
const databaseError = (message: string, fields: object) =>
  Object.assign(new DatabaseError(message, 1, 'error'), {
    detail: `Failing row contains (${SECRET}).`,
    where: `unnamed portal parameter $1 = '${SECRET}'`,
    hint: SECRET,
    ...fields,
  });

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

const duplicate = databaseError('duplicate key value violates unique constraint "agents_name"', {
  code: '23505',
  table: 'agents',
  constraint: 'agents_name',
});
const inQuery = new QueryFailedError('INSERT INTO agents VALUES ($1)', [SECRET], duplicate);

describe('errorToLog', () => {
  test('keeps what failed in the database and where, without the values', () => {
    expect(errorToLog(inQuery)).toEqual({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "agents_name"',
      stack: expect.stringContaining('QueryFailedError: duplicate key') as string,
      code: '23505',
      table: 'agents',
      constraint: 'agents_name',
    });
  });

  test.each<[string, unknown]>([
    ['a statement with its parameters', inQuery],
    ['the cause of another error', new Error('The agent was not stored', { cause: inQuery })],
    ['one of several errors', new AggregateError([inQuery, new Error('another')], 'Both failed')],
    [
      'a message that quotes the value',
      databaseError(`invalid input syntax for type uuid: "${SECRET} "\n"${SECRET}"`, { code: '22P02' }),
    ],
    ['a thrown value that is not an error', { prompt: SECRET }],
    ['a thrown text', SECRET],
    ['a body that was not parsed', Object.assign(new SyntaxError('Malformed'), { body: SECRET })],
    ['a row of a file', thrownBy(() => parse(`a,b\n${SECRET}`))],
    ['a field of a form', new MulterError('LIMIT_FIELD_VALUE', SECRET)],
    ['an address with a credential', thrownBy(() => new URL(`http://${SECRET}`))],
    [
      'the answer of another server',
      new undiciErrors.ResponseError('Response status code 500', 500, { body: SECRET }),
    ],
    [
      'an answer that could not be parsed',
      Object.assign(new undiciErrors.HTTPParserError('Malformed'), { data: SECRET }),
    ],
  ])('removes what a client sent from %s', (_, error) => {
    const logged = JSON.stringify(errorToLog(error));

    expect(logged).not.toContain(SECRET);
    expect(logged).toContain('"message"');
  });

  test('includes causes, the errors of an AggregateError and their codes', () => {
    const connect = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const error = new Error('No hook', { cause: new AggregateError([connect], 'No address') });

    expect(errorToLog(error)).toMatchObject({
      message: 'No hook',
      cause: { message: 'No address', errors: [{ message: connect.message, code: 'ECONNREFUSED' }] },
    });
  });

  test('ends if causes form a circle', () => {
    const [first, second] = [new Error('first'), new Error('second')];
    [first.cause, second.cause] = [second, first];

    expect(errorToLog(first)).toMatchObject({ message: 'first', cause: { cause: { message: 'first' } } });
  });
});
