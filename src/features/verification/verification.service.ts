import { Injectable } from '@nestjs/common';
import { BEFORE_ALL, type Violation } from '../../platform/database/invariant';
import { CallRollupsService } from '../calls/counts/call-rollups.service';
import { MeasurementsRepository } from '../reports/measurements/measurements.repository';
import { INVARIANT_NAMES, type InvariantName, VerificationRepository } from './verification.repository';

/** Sums are compared in several steps, so their checks are none of the statements. */
const SUMS = ['balances', 'rollups', 'measurements'] as const;

export const CHECK_NAMES = [...INVARIANT_NAMES, ...SUMS];

/** When this many violations were found, the verification ends: something is wrong with everything. */
const MAX_VIOLATIONS = 1_000;

export interface Verification {
  /** The number of rows that were checked, by check; those of `rollups` are workspaces, and those of `measurements` days. */
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
    private readonly measurements: MeasurementsRepository,
  ) {}

  async verify({ workspaceId, isStopping = () => false }: Options = {}): Promise<Verification> {
    const violations: Verification['violations'] = [];
    const checked: Verification['checked'] = {};
    const isOver = () => isStopping() || violations.length >= MAX_VIOLATIONS;
    for (const check of CHECK_NAMES) {
      checked[check] = 0;
      for await (const step of this.steps(check, workspaceId)) {
        checked[check] += step.checked;
        violations.push(...step.violations.map((violation) => ({ check, ...violation })));
        if (isOver()) return { checked, violations };
      }
    }
    return { checked, violations };
  }

  private steps(check: (typeof CHECK_NAMES)[number], workspaceId: string | undefined) {
    if (check === 'balances') return this.balanceSteps(workspaceId ?? null);
    if (check === 'rollups') return this.rollupSteps(workspaceId);
    if (check === 'measurements') return this.measurementSteps(workspaceId);
    return this.pages(check, workspaceId);
  }

  private async *pages(check: InvariantName, workspaceId: string | undefined) {
    for (let after: string | null = BEFORE_ALL; after !== null;) {
      const page = await this.verifications.checkPage(check, { workspaceId, after });
      yield page;
      after = page.last;
    }
  }

  /**
   * The ledger is read once, in its order, since each workspace has entries on most pages of the table: at 59 million entries
   * of 200 workspaces, one of them took 3 to 9 s by its index, and a step takes 0.2 s. What differs then is read by itself.
   */
  private async *balanceSteps(workspaceId: string | null) {
    const sums = new Map<string, number>();
    const end = await this.verifications.findLedgerEnd();
    for (let after: string | null = '0'; after !== null;) {
      const step = await this.verifications.sumLedger({ workspaceId, after, end });
      for (const { workspaceId: id, amount } of step.sums) sums.set(id, (sums.get(id) ?? 0) + amount);
      yield { checked: 0, violations: [] };
      after = step.last;
    }
    const ledger = [...sums].map(([id, amount]) => ({ workspaceId: id, amount }));
    const { checked, different } = await this.verifications.compareBalances(workspaceId, end, ledger);
    yield { checked, violations: [] };
    for (const id of different) yield { checked: 0, violations: await this.verifications.checkBalance(id) };
  }

  private async *rollupSteps(workspaceId: string | undefined) {
    for (const id of await this.workspaces(workspaceId)) {
      const differences = await this.rollups.check(id);
      const violations = differences.map((difference) => ({
        workspaceId: id,
        id,
        detail: `The counts of ended calls differ from the calls: ${JSON.stringify(difference)}`,
      }));
      yield { checked: 1, violations };
    }
  }

  private async *measurementSteps(workspaceId: string | undefined) {
    for (const id of await this.workspaces(workspaceId)) {
      for (const day of await this.measurements.findDays(id)) {
        const differences = await this.measurements.checkDay({ workspaceId: id, day });
        const violations = differences.map((difference) => ({
          workspaceId: id,
          id,
          detail: `The sums of measurements differ from the calls: ${JSON.stringify(difference)}`,
        }));
        yield { checked: 1, violations };
      }
    }
  }

  private async workspaces(workspaceId: string | undefined): Promise<string[]> {
    return workspaceId === undefined ? this.rollups.workspaces() : [workspaceId];
  }
}
