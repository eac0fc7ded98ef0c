import type { MockedTool, ToolInvocation } from '@parley/worker';
import type { Clock } from '../clock';

const CLOSED = 'The rehearsal has no answer for it.';
const NONE: Omit<ToolInvocation, 'state'> = {
  invocationId: null,
  result: null,
  error: null,
  code: null,
  repeated: false,
  variables: {},
};

/** The use of a tool. */
export interface AskedTool {
  at: Date;
  /** Whether no mock fitted. */
  isClosed: boolean;
}

/** Answers the tools of an agent in the place of the server. */
export class MockedTools {
  private readonly mocks: { mock: MockedTool; left: number }[];
  /** The uses, by their arguments. */
  private readonly asked = new WeakMap<object, AskedTool>();

  constructor(
    mocks: readonly MockedTool[],
    private readonly clock: Clock,
  ) {
    this.mocks = mocks.map((mock) => ({ mock, left: mock.times ?? Infinity }));
  }

  /** The use with these arguments; undefined: a tool that the server does not do, or that was not asked for yet. */
  find(given: unknown): AskedTool | undefined {
    return typeof given === 'object' && given !== null ? this.asked.get(given) : undefined;
  }

  async ask(name: string, given: Record<string, unknown>): Promise<ToolInvocation> {
    const mock = this.take(name, given);
    this.asked.set(given, { at: this.clock.date(), isClosed: !mock });
    if (!mock) return { ...NONE, state: 'failed', error: CLOSED };
    const isLate = mock.never === true || mock.after_ms > mock.timeout_ms;
    await new Promise<void>(
      (resolve) => void this.clock.after(isLate ? mock.timeout_ms : mock.after_ms, resolve),
    );
    if (isLate) return { ...NONE, state: 'unknown' };
    return mock.fail === undefined
      ? { ...NONE, state: 'done', result: mock.answer ?? null }
      : { ...NONE, state: 'failed', error: mock.fail };
  }

  private take(name: string, given: object): MockedTool | undefined {
    const found = this.mocks.find(
      ({ mock, left }) => left > 0 && mock.name === name && isPart(mock.match ?? {}, given),
    );
    if (!found) return undefined;
    found.left--;
    return found.mock;
  }
}

/** Whether the members of the first value are in the second one, on all levels. Lists have as many items. */
export function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isPart(value, (whole as Record<string, unknown>)[name]),
  );
}
