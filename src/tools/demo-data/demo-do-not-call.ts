import { type DoNotCallEntry, ENTRY_SOURCE } from '../../features/do-not-call/do-not-call-entry.entity';
import type { DemoCall } from './demo-call';
import { anyPerson } from './demo-people';
import type { Random } from './random';

const DAY_MS = 86_400_000;

/** The hours in which somebody lists numbers. */
const OFFICE_MS = [8 * 3_600_000, 17 * 3_600_000] as const;

const REASONS = ['asked by letter', 'moved away', 'wrong number', 'asked the front desk', null];

/** The number of entries that no call added. */
const OTHERS = 24;

type Entry = Omit<DoNotCallEntry, 'workspace'>;

/** Lists the people who asked for it in a call, and some others. */
export function createDoNotCallEntries(
  workspaceId: string,
  calls: DemoCall[],
  since: Date,
  random: Random,
): Entry[] {
  const optedOut = calls.map(({ call, analysis }) => ({
    workspaceId,
    phoneNumber: call.toNumber,
    reason: null,
    source: ENTRY_SOURCE.opt_out,
    createdBy: null,
    createdAt: analysis?.reportedAt ?? call.createdAt,
    expiresAt: null,
  }));
  const others = Array.from({ length: OTHERS }, () => {
    const createdAt = new Date(
      since.getTime() + random.between([0, 20]) * DAY_MS + random.between(OFFICE_MS),
    );
    return {
      workspaceId,
      phoneNumber: anyPerson(random).number,
      reason: random.pick(REASONS),
      source: random.pick([ENTRY_SOURCE.api, ENTRY_SOURCE.import]),
      createdBy: null,
      createdAt,
      expiresAt: random.chance(0.2) ? new Date(createdAt.getTime() + 90 * DAY_MS) : null,
    };
  });
  return [...optedOut, ...others];
}
