import { AGENT_TYPE } from '../../features/agents/agent-types';
import { type AgentKey, type DemoAgent } from './demo-agents';
import { type DemoCall, demoCall } from './demo-call';
import { NO_RUNTIME } from './demo-endings';
import { anyPerson } from './demo-people';
import { Random } from './random';

/** Days before today that have calls. */
export const DAYS = 21;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The relative number of calls on each day of the week, from Sunday on. */
const DAY_WEIGHTS = [0.2, 1, 1.1, 1, 0.95, 0.8, 0.35];

/** The relative number of calls in each hour of a day in UTC. */
const HOURS = [1, 1, 1, 1, 1, 2, 5, 14, 30, 42, 44, 38, 24, 30, 38, 36, 28, 14, 7, 4, 3, 2, 1, 1].map(
  (weight, hour) => ({ weight, hour }),
);

/** The agents that make and take calls outside of campaigns, and how often. */
const CALLERS: { key: AgentKey; weight: number }[] = [
  { key: 'frontDesk', weight: 5 },
  { key: 'renewals', weight: 4 },
];

/** An hour in which no runtime ran: `day` days ago, at `hour` in UTC. */
const OUTAGE = { day: 9, hour: 14 };

export interface DaysPlan {
  agents: Record<AgentKey, DemoAgent>;
  numbers: Partial<Record<AgentKey, string>>;
  seed: string;
  /** The approximate number of calls. */
  calls: number;
  /** The beginning of today in UTC. */
  today: Date;
  /** Every call has ended by this time. */
  until: Date;
  webhookUrl: string;
  publicUrl: string;
}

/**
 * The calls of each day, the oldest day first. The seed decides on the calls of a day, and the number of days does
 * not.
 */
export function* callsByDay(plan: DaysPlan): Generator<DemoCall[]> {
  const days = Array.from({ length: DAYS + 1 }, (_, index) => DAYS - index);
  const getStart = (day: number) => new Date(plan.today.getTime() - day * DAY_MS);
  const getWeight = (day: number) => DAY_WEIGHTS[getStart(day).getUTCDay()] as number;
  const all = days.reduce((sum, day) => sum + getWeight(day), 0);
  for (const day of days) {
    const count = Math.max(1, Math.round((plan.calls * getWeight(day)) / all));
    const random = new Random(`${plan.seed} day ${day}`);
    const calls = Array.from({ length: count }, () => createCall(plan, getStart(day), day, random));
    yield calls
      .filter(({ call }) => (call.endedAt as Date) < plan.until)
      .sort((one, other) => one.call.createdAt.getTime() - other.call.createdAt.getTime());
  }
}

function createCall(plan: DaysPlan, start: Date, day: number, random: Random): DemoCall {
  const { hour } = random.weighted(HOURS);
  const at = new Date(start.getTime() + hour * HOUR_MS + random.between([0, HOUR_MS - 1]));
  const { key } = random.weighted(CALLERS);
  const agent = plan.agents[key];
  const isInbound = agent.agent.type === AGENT_TYPE.inbound;
  const isOut = !isInbound && day === OUTAGE.day && hour === OUTAGE.hour;
  return demoCall(
    {
      agent,
      agentNumber: plan.numbers[key] ?? '',
      at,
      person: anyPerson(random),
      variables: {},
      ending: isOut ? NO_RUNTIME : random.weighted(agent.endings),
      isInbound,
      ...(!isInbound && { webhookUrl: plan.webhookUrl }),
      publicUrl: plan.publicUrl,
    },
    random,
  );
}
