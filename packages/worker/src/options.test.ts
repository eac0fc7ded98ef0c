import { readOptions } from './options';

describe('The options of a worker', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  test('come from the environment, where they are not given', () => {
    Object.assign(process.env, {
      RABBITMQ_URL: 'amqp://a, amqp://b',
      BROKER_PREFIX: 'acme',
      PARLEY_CAPACITY: '7',
      PARLEY_DRAIN_SECONDS: '0.5',
      PARLEY_WORKSPACE: 'w1',
    });

    expect(readOptions({ capacity: 9 })).toMatchObject({
      engine: {
        urls: ['amqp://a', 'amqp://b'],
        prefix: 'acme',
        queue: 'acme.calls.default',
        workspace: 'w1',
        capacity: 9,
      },
      drainSeconds: 0.5,
      handleSignals: false,
    });
  });

  test('have defaults', () => {
    for (const name of Object.keys(process.env))
      if (/^PARLEY_|BROKER_PREFIX/.test(name)) delete process.env[name];

    expect(readOptions({ url: 'amqp://a' })).toMatchObject({
      engine: { prefix: 'voice', queue: 'voice.calls.default', workspace: undefined, capacity: 1 },
      drainSeconds: 3_600,
    });
  });

  test.each([
    [{ capacity: 0 }, 'The option capacity must be a whole number from 1 to 1000000, not 0.'],
    [{ capacity: 1.5 }, 'The option capacity must be a whole number from 1 to 1000000, not 1.5.'],
    [{ drainSeconds: -1 }, 'The option drainSeconds must be a number from 0 to 604800, not -1.'],
    [{ url: 'http://user:secret@a' }, 'must have the form amqp://user:password@host:5672/vhost.'],
    [{ apiUrl: 'a' }, 'The option apiUrl must begin with http:// or https://.'],
  ])('are refused if they are wrong: %j', (options, message) => {
    expect(() => readOptions({ url: 'amqp://a', ...options })).toThrow(message);
    expect(() => readOptions({ url: 'amqp://a', ...options })).not.toThrow('secret');
  });

  test('name the environment variable that is wrong or missing', () => {
    process.env.PARLEY_CAPACITY = 'many';
    expect(() => readOptions({ url: 'amqp://a' })).toThrow(
      'The environment variable PARLEY_CAPACITY must be',
    );
    delete process.env.RABBITMQ_URL;
    expect(() => readOptions({ capacity: 1 })).toThrow(
      'Set the option url, or the environment variable RABBITMQ_URL',
    );
  });
});
