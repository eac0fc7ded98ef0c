import type { CampaignLogEntry } from '../../features/campaigns/plan/campaign-log-entry.entity';
import type { CampaignRecipient } from '../../features/campaigns/recipients/campaign-recipient.entity';
import { CAMPAIGN_STATUS, RECIPIENT_STATUS } from '../../features/campaigns/plan/campaign-status';
import type { Campaign } from '../../features/campaigns/plan/campaign.entity';
import type { RetryPolicy } from '../../features/campaigns/plan/retry-policy';
import type { AgentKey, DemoAgent } from './demo-agents';
import { type DemoCall, demoCall } from './demo-call';
import { type Person, PEOPLE, getPerson } from './demo-people';
import {
  type CallsTo,
  countRecipients,
  type DemoStatus,
  countOutcomes,
  createRecipient,
} from './demo-recipients';
import { idAt, Random } from './random';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The working hours in UTC. They are within the windows of the campaigns in every zone of Europe. */
const FIRST_HOUR = 8;
const HOURS = 7;

const WINDOWS: Campaign['windows'] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '08:30', end: '17:30' },
];

const RETRY: RetryPolicy = { on: ['dial_busy', 'dial_no_answer'], max: 2, afterMinutes: [60, 120] };

interface Definition {
  name: string;
  agent: AgentKey;
  status: DemoStatus;
  /** The number of days since the campaign began. A day of the weekend stands for the working day before. */
  daysAgo: number;
  /** The campaign's share of the calls of all campaigns. */
  share: number;
  /** The part of its first day that passed until it was paused or cancelled. */
  ran?: number;
}

const DEFINITIONS: Definition[] = [
  {
    name: 'Spring check-ups',
    agent: 'reminders',
    status: CAMPAIGN_STATUS.completed,
    daysAgo: 17,
    share: 0.5,
  },
  {
    name: 'Survey after the visit',
    agent: 'survey',
    status: CAMPAIGN_STATUS.cancelled,
    daysAgo: 9,
    share: 0.2,
    ran: 0.3,
  },
  {
    name: 'Vaccination reminders',
    agent: 'reminders',
    status: CAMPAIGN_STATUS.paused,
    daysAgo: 2,
    share: 0.3,
    ran: 0.6,
  },
];

export interface DemoCampaign {
  campaign: Omit<Campaign, 'workspace' | 'agent'>;
  recipients: CampaignRecipient[];
  log: Omit<CampaignLogEntry, 'id' | 'campaign'>[];
  calls: DemoCall[];
}

export interface CampaignsPlan {
  agents: Record<AgentKey, DemoAgent>;
  seed: string;
  /** The approximate number of calls of all campaigns. */
  calls: number;
  today: Date;
  publicUrl: string;
}

/** The beginning of the working hours of that day, or of the working day before. */
function workingDay(today: Date, daysAgo: number): Date {
  const start = new Date(today.getTime() - daysAgo * DAY_MS + FIRST_HOUR * HOUR_MS);
  return [0, 6].includes(start.getUTCDay()) ? workingDay(today, daysAgo + 1) : start;
}

/** Moves a time outside the working hours to the beginning of the next ones. */
function withinHours(time: Date): Date {
  const midnight = Math.floor(time.getTime() / DAY_MS) * DAY_MS;
  const [opens, closes] = [midnight + FIRST_HOUR * HOUR_MS, midnight + (FIRST_HOUR + HOURS) * HOUR_MS];
  const isWeekend = [0, 6].includes(time.getUTCDay());
  if (!isWeekend && time.getTime() >= opens && time.getTime() < closes) return time;
  const next = isWeekend || time.getTime() >= closes ? opens + DAY_MS : opens;
  return withinHours(new Date(next + (time.getTime() % HOUR_MS)));
}

export const demoCampaigns = (plan: CampaignsPlan): DemoCampaign[] =>
  DEFINITIONS.map((definition) => createCampaign(definition, plan));

function createCampaign(definition: Definition, plan: CampaignsPlan): DemoCampaign {
  const random = new Random(`${plan.seed} campaign ${definition.name}`);
  const begins = workingDay(plan.today, definition.daysAgo);
  const createdAt = new Date(begins.getTime() - HOUR_MS / 2);
  const id = idAt(createdAt);
  const count = Math.min(PEOPLE, Math.max(4, Math.round(plan.calls * definition.share)));
  const step = (HOURS * HOUR_MS) / count;
  const stopsAt =
    definition.ran === undefined ? undefined : begins.getTime() + definition.ran * HOURS * HOUR_MS;
  const first = random.between([0, PEOPLE - 1]);
  const calls: DemoCall[] = [];
  const recipients = Array.from({ length: count }, (_, index) => {
    const person = getPerson(first + index);
    const at = new Date(begins.getTime() + index * step);
    const run = callsTo(person, { definition, plan, id, at, stopsAt }, random);
    calls.push(...run.calls);
    return createRecipient(id, index, run, definition.status);
  });
  const lastEnd = calls.reduce((last, { call }) => Math.max(last, (call.endedAt as Date).getTime()), 0);
  const endsAt = new Date(stopsAt ?? lastEnd + 1_000);
  const agent = plan.agents[definition.agent].agent;
  return {
    campaign: {
      id,
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      userId: agent.userId,
      name: definition.name,
      status: definition.status,
      failureReason: null,
      scheduleTime: begins,
      hasBegun: true,
      recipientCount: count,
      isOver: definition.status !== CAMPAIGN_STATUS.paused,
      timezone: 'Europe/Berlin',
      windows: WINDOWS,
      concurrency: 20,
      callsPerSecond: 2,
      pacedUntil: null,
      retry: RETRY,
      webhookUrl: '',
      expiresAt: null,
      waiting: null,
      waitingSince: null,
      outcomes: countOutcomes(recipients, calls, RECIPIENT_STATUS.disconnected, RECIPIENT_STATUS.failed),
      retryingOutcomes: countOutcomes(recipients, calls, RECIPIENT_STATUS.retrying),
      ...countRecipients(recipients, calls),
      createdAt,
      updatedAt: endsAt,
    },
    recipients,
    log: createLog(id, { definition, createdAt, begins, endsAt }),
    calls,
  };
}

interface Run {
  definition: Definition;
  plan: CampaignsPlan;
  id: string;
  at: Date;
  stopsAt: number | undefined;
}

/** The attempts to reach a person until the campaign was paused or cancelled. */
function callsTo(
  person: Person,
  { definition, plan, id, at, stopsAt = Infinity }: Run,
  random: Random,
): CallsTo {
  const agent = plan.agents[definition.agent];
  const variables = {
    day: random.pick(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']),
    time: random.pick(['9:00', '9:30', '10:15', '11:00', '14:30', '16:00']),
  };
  const calls: DemoCall[] = [];
  let dueAt: Date | undefined = at;
  while (dueAt && dueAt.getTime() < stopsAt) {
    const attempt = calls.length + 1;
    const ending = random.weighted(agent.endings);
    const common = { agent, agentNumber: '', person, variables, publicUrl: plan.publicUrl };
    const made = demoCall({ ...common, at: dueAt, ending, campaignId: id, attempt }, random);
    calls.push(made);
    const isAgain = attempt <= RETRY.max && RETRY.on.some((reason) => reason === ending.reason);
    const pause = RETRY.afterMinutes[attempt - 1] ?? 0;
    dueAt = isAgain
      ? withinHours(new Date((made.call.endedAt as Date).getTime() + pause * 60_000))
      : undefined;
  }
  return { person, variables, calls, dueAt };
}

interface Times {
  definition: Definition;
  createdAt: Date;
  begins: Date;
  endsAt: Date;
}

function createLog(
  campaignId: string,
  { definition, createdAt, begins, endsAt }: Times,
): DemoCampaign['log'] {
  const line = (at: Date, event: CampaignLogEntry['event'], text: string) => ({
    campaignId,
    at,
    event,
    actor: null,
    text,
    data: {},
  });
  const ends = {
    completed: 'The campaign is complete.',
    paused: 'Paused by the operations team.',
    cancelled: 'Cancelled by the operations team.',
  };
  return [
    line(createdAt, 'created', 'The campaign was created.'),
    line(begins, 'begun', 'The campaign began.'),
    line(endsAt, definition.status, ends[definition.status]),
  ];
}
