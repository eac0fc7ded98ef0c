import { MalformedMessageError } from './malformed-message.error';
import { type BodyLimits, PublishError } from './message-broker';

/**
 * The limits of messages of agent runtimes. Validation takes milliseconds for a body of some thousand values, but
 * seconds for one of a million, and overflows the stack for one that is nested deeply. A transcript of a thousand
 * turns fits.
 */
export const REPORT_LIMITS: BodyLimits = { maxBytes: 65_536, maxValues: 8_000, maxDepth: 32 };

/**
 * The limit of messages of the server. A call start is smaller, since its parts are bounded. RabbitMQ's
 * `max_message_size` may be as low as this: for a larger message it closes the channel, which fails other publishes,
 * too.
 */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** The limits of a reply that has a call start, which the server has bounded. */
export const CALL_START_LIMITS: BodyLimits = {
  maxBytes: MAX_MESSAGE_BYTES,
  maxValues: 1_000_000,
  maxDepth: 100,
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws PublishError if the message would be too large */
export function encodeBody(body: object): Buffer {
  const content = Buffer.from(JSON.stringify(body));
  if (content.length <= MAX_MESSAGE_BYTES) return content;
  throw new PublishError(
    'too_large',
    `The message has ${content.length} bytes, and ${MAX_MESSAGE_BYTES} is the limit.`,
  );
}

/** Returns the body, or the {@link MalformedMessageError} that says why it is unreadable. */
export function readBody(content: Buffer, limits?: BodyLimits): unknown {
  try {
    return decodeBody(content, limits);
  } catch (error) {
    return error;
  }
}

function decodeBody(content: Buffer, limits?: BodyLimits): unknown {
  if (limits && content.length > limits.maxBytes) {
    throw new MalformedMessageError(`it has ${content.length} bytes, and ${limits.maxBytes} is the limit`);
  }
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(content));
  } catch {
    throw new MalformedMessageError('it is not JSON in UTF-8');
  }
  if (limits) assertWithin(body, limits);
  return body;
}

/** The check goes level by level, because recursion could overflow the stack. */
function assertWithin(body: unknown, { maxValues, maxDepth }: BodyLimits): void {
  let level: unknown[] = [body];
  let values = 1;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new MalformedMessageError(`it is nested more than ${maxDepth} levels deep`);
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    values += level.length;
    if (values > maxValues) throw new MalformedMessageError(`it has more than ${maxValues} values`);
  }
}
