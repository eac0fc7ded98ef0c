import {
  type MockedTool,
  type RehearsalOfCall,
  shorten,
  type ToolInvocation,
  type ToolOfCall,
} from '@parley/worker';
import { RE2JS } from 're2js';
import type { Clock } from '../clock';
import { type ArgumentRules, findArgumentProblems } from './tool-arguments';

const CLOSED = 'The rehearsal has no answer for it.';
/** A worker library keeps as much of a refusal. */
const MAX_REFUSAL = 2_000;
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

interface Use {
  /** undefined: none fitted */
  mock?: MockedTool;
  answer: Promise<ToolInvocation>;
}

/** Answers the tools of an agent in the place of the server. */
export class MockedTools {
  /** The values of answers that are variables of the call. */
  readonly variables: Record<string, string> = {};
  private readonly mocks: { mock: MockedTool; left: number }[];
  private readonly rules: ReadonlyMap<string, ArgumentRules>;
  /** The expressions of the parameters. Compiling one takes longer than a search. */
  private readonly expressions = new Map<string, RE2JS>();
  private askings = 0;
  /** The uses, by the keys of their askings. */
  private readonly uses = new Map<number, Use>();
  /** The uses, by their arguments. */
  private readonly asked = new WeakMap<object, AskedTool>();

  /** @param offered the tools of the agent, with their parameters */
  constructor(
    { tools: mocks = [], tool_rules = [] }: Pick<RehearsalOfCall, 'tools' | 'tool_rules'>,
    offered: readonly ToolOfCall[],
    private readonly clock: Clock,
  ) {
    this.mocks = mocks.map((mock) => ({ mock, left: mock.times ?? Infinity }));
    this.rules = new Map(
      tool_rules.map(({ name, compares, fixed, path }) => {
        const parameters = compares ? offered.find((tool) => tool.name === name)?.parameters : undefined;
        return [name, { parameters, fixed, path }];
      }),
    );
  }

  /** The use with these arguments; undefined: none of the server, refused, or not asked for yet. */
  find(given: unknown): AskedTool | undefined {
    return typeof given === 'object' && given !== null ? this.asked.get(given) : undefined;
  }

  async ask(name: string, given: Record<string, unknown>): Promise<ToolInvocation> {
    const rules = this.rules.get(name);
    const problems = rules ? findArgumentProblems(rules, given, (pattern) => this.compile(pattern)) : [];
    if (problems.length > 0) {
      const error = shorten(problems.map(({ message }) => message).join('; '), MAX_REFUSAL);
      return { ...NONE, state: 'refused', code: 'TOOL_ARGUMENTS_INVALID', error };
    }
    const key = ++this.askings;
    const { mock, answer } = this.use(key, name, given);
    const first = await answer;
    // As a runtime does whose answer was lost.
    return mock?.twice ? this.use(key, name, given).answer : first;
  }

  private compile(pattern: string): RE2JS {
    const known = this.expressions.get(pattern) ?? RE2JS.compile(pattern);
    this.expressions.set(pattern, known);
    return known;
  }

  /** An asking with the key of an earlier one is the same use. */
  private use(key: number, name: string, given: Record<string, unknown>): Use {
    const known = this.uses.get(key);
    if (known) {
      return { ...known, answer: known.answer.then((answer) => ({ ...answer, repeated: true })) };
    }
    const mock = this.take(name, given);
    this.asked.set(given, { at: this.clock.date(), isClosed: !mock });
    const use = { mock, answer: this.answer(mock) };
    this.uses.set(key, use);
    return use;
  }

  private async answer(mock: MockedTool | undefined): Promise<ToolInvocation> {
    if (!mock) return { ...NONE, state: 'failed', error: CLOSED };
    const isLate = mock.never === true || mock.after_ms > mock.timeout_ms;
    await new Promise<void>(
      (resolve) => void this.clock.after(isLate ? mock.timeout_ms : mock.after_ms, resolve),
    );
    if (isLate) return { ...NONE, state: 'unknown' };
    const { fail, answer = null, variables = {} } = mock;
    if (fail !== undefined) return { ...NONE, state: 'failed', error: fail };
    Object.assign(this.variables, variables);
    return { ...NONE, state: 'done', result: answer, variables };
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
