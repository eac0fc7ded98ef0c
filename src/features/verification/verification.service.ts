import { Injectable } from '@nestjs/common';
import { BEFORE_ALL, type Violation } from '../../platform/database/invariant';
import { CallRollupsService } from '../calls/counts/call-rollups.service';
import { INVARIANT_NAMES, type InvariantName, VerificationRepository } from './verification.repository';

/** The check of the rollups compares them day by day, so it is none of the statements. */
const ROLLUPS = 'rollups';

export const CHECK_NAMES = [...INVARIANT_NAMES, ROLLUPS];

/** When so many violations were found, the verification ends: something is wrong with everything. */
const MAX_VIOLATIONS = 1_000;

export interface Verification {
  /** The number of rows that were checked, by check; those of `rollups` are workspaces. */
  checked: Record<string, number>;
  violations: (Violation & { check: string })[];
}

interface Options {
  /** The workspace. Default: all workspaces. */
  workspaceId?: string;
  /** Whether no other step may begin. */
  isStopping?: () => boolean;
}

/** Compares what is stored with the invariants, in small steps, while servers work. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly rollups: CallRollupsService,
  ) {}

  async verify({ workspaceId, isStopping = () => false }: Options = {}): Promise<Verification> {
    const violations: Verification['violations'] = [];
    const checked: Verification['checked'] = {};
    const isOver = () => isStopping() || violations.length >= MAX_VIOLATIONS;
    for (const check of CHECK_NAMES) {
      checked[check] = 0;
      const steps =
        check === ROLLUPS ? this.rollupSteps(workspaceId) : this.steps(check as InvariantName, workspaceId);
      for await (const step of steps) {
        checked[check] += step.checked;
        violations.push(...step.violations.map((violation) => ({ check, ...violation })));
        if (isOver()) return { checked, violations };
      }
    }
    return { checked, violations };
  }

  private async *steps(check: InvariantName, workspaceId: string | undefined) {
    for (let after: string | null = BEFORE_ALL; after !== null;) {
      const page = await this.verifications.checkPage(check, { workspaceId, after });
      yield page;
      after = page.last;
    }
  }

  private async *rollupSteps(workspaceId: string | undefined) {
    for (const id of workspaceId === undefined ? await this.rollups.workspaces() : [workspaceId]) {
      const differences = await this.rollups.check(id);
      const violations = differences.map((difference) => ({
        workspaceId: id,
        id,
        detail: `The counts of ended calls differ from the calls: ${JSON.stringify(difference)}`,
      }));
      yield { checked: 1, violations };
    }
  }
}
