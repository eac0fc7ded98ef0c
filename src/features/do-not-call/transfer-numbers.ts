import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import type { Queryable } from '../../platform/database/database';
import { canonicalNumber } from '../../platform/validation/phone-number';
import { getDestinationRules, isAllowedDestination } from './destinations';
import { DoNotCallRepository } from './do-not-call.repository';

/** `impossible`: it is no number in E.164 form that can exist. */
export type TransferProblem = 'impossible' | 'destination' | 'listed';

/**
 * Reads the number with which an action connects the person, such as `sales tel:+15551234567`.
 * @returns undefined if it is another action
 */
export function readTransferNumber(action: string): string | undefined {
  const [, number] = /^[\w-]{1,60}\s+tel:(\+[1-9]\d{6,14})$/.exec(action.trim()) ?? [];
  return number;
}

/** The numbers with which agents connect persons. The rules for numbers that are called apply to them. */
@Injectable()
export class TransferNumbers {
  constructor(
    private readonly entries: DoNotCallRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns the problems of the numbers that must not be called now */
  async findProblems(
    workspaceId: string,
    numbers: string[],
    queryable?: Queryable,
  ): Promise<Map<string, TransferProblem>> {
    if (numbers.length === 0) return new Map();
    const called = new Map(numbers.map((number) => [number, canonicalNumber(number)]));
    const possible = [...called.values()].filter((number) => number !== undefined);
    const listed = new Set(await this.entries.findListed(workspaceId, possible, queryable));
    const rules = getDestinationRules(this.config);
    const findProblem = (number: string | undefined): TransferProblem | undefined => {
      if (number === undefined) return 'impossible';
      if (!isAllowedDestination(number, rules)) return 'destination';
      return listed.has(number) ? 'listed' : undefined;
    };
    const problems = [...called].map(([number, canonical]) => [number, findProblem(canonical)] as const);
    return new Map(problems.filter((pair): pair is [string, TransferProblem] => pair[1] !== undefined));
  }
}
