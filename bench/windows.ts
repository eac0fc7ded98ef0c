import { setTimeout as pause } from 'node:timers/promises';
import { createCampaign, csv, createNumbers } from '../test/support/campaigns';
import { ApiClient } from '../test/support/client';
import type { Bench, Benchmark } from './benchmark';
import { measure } from './measure';
import { startParley } from './parley';
import { untilQueued } from './queue';
import { cpuSum, printCost, printRatio } from './report';
import { interleave, purgeCalls, withSides } from './rounds';
import type { Side } from './side';
import { findAgent } from './start-campaign';

const RECIPIENTS = 1_000_000;
const SHORT_RECIPIENTS = 10_000;
/** The campaign stops after this number of calls, because there is no runtime. */
const DISPATCHED = 5_000;
const SHORT_DISPATCHED = 500;
/** The tick is short, so that many ticks are measured. */
const TICK_MS = 100;

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** At every moment, some zones are within these windows and others are not. */
const WINDOWS = [{ days: DAYS, start: '06:00', end: '22:00' }];

const ZONES = [
  'Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago',
  'America/Mexico_City America/New_York America/Bogota America/Lima America/Caracas America/Halifax',
  'America/Santiago America/St_Johns America/Sao_Paulo America/Argentina/Buenos_Aires Atlantic/Azores',
  'Atlantic/Reykjavik Europe/Lisbon Europe/London Europe/Berlin Europe/Madrid Europe/Warsaw Europe/Athens',
  'Africa/Lagos Africa/Cairo Africa/Johannesburg Africa/Nairobi Europe/Istanbul Europe/Moscow Asia/Dubai',
  'Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Shanghai Asia/Tokyo Australia/Adelaide',
  'Australia/Sydney Pacific/Auckland',
].flatMap((line) => line.split(' '));

interface RunningCampaign {
  side: Side;
  steer: (verb: 'pause' | 'resume') => Promise<void>;
}

/** The two files have the same size, and differ in the zones alone. */
function createFile(recipients: number, hasZones: boolean): Blob {
  const rows = createNumbers(recipients).map((number, index) => {
    const zone = ZONES[index % ZONES.length] as string;
    return `${number},${hasZones ? zone : ''},${hasZones ? '' : zone}`;
  });
  return csv(['phone_number,timezone,note', ...rows].join('\n'));
}

async function startCampaign(bench: Bench, side: Side, hasWindows: boolean): Promise<RunningCampaign> {
  const { apiKey, agentId } = findAgent(bench, side, 0);
  const api = new ApiClient(side.url, { 'x-api-key': apiKey });
  const file = createFile(bench.options.short ? SHORT_RECIPIENTS : RECIPIENTS, hasWindows);
  const fields: Record<string, string> = hasWindows ? { windows: JSON.stringify(WINDOWS) } : {};
  const id = await createCampaign(api, agentId, file, fields);
  return {
    side,
    steer: async (verb) => {
      const { status } = await api.post(`/api/campaign/${id}/${verb}`);
      if (status !== 200) throw new Error(`To ${verb} the campaign was answered with ${status}.`);
    },
  };
}

const countDispatched = ({ options }: Bench) => (options.short ? SHORT_DISPATCHED : DISPATCHED);

/** Takes the calls back, so that another round can make them again. */
async function takeBack(bench: Bench, { side, steer }: RunningCampaign): Promise<void> {
  await steer('pause');
  await purgeCalls(bench, side);
}

async function dispatch(bench: Bench, { side, steer }: RunningCampaign) {
  const round = await measure(bench.services, side, async () => {
    const [queued] = await Promise.all([untilQueued(bench, side, countDispatched(bench)), steer('resume')]);
    return queued;
  });
  await takeBack(bench, { side, steer });
  return round;
}

/** Measures the ticks while the largest number of calls is in progress. */
async function idle(bench: Bench, { side, steer }: RunningCampaign) {
  const { seconds } = bench.options;
  await Promise.all([untilQueued(bench, side, countDispatched(bench)), steer('resume')]);
  const round = await measure(bench.services, side, async () => {
    await pause(seconds * 1_000);
    return { calls: (seconds * 1_000) / TICK_MS, seconds };
  });
  await takeBack(bench, { side, steer });
  return round;
}

async function run(bench: Bench): Promise<void> {
  const settings = { CAMPAIGN_CONCURRENCY: `${countDispatched(bench)}`, CAMPAIGN_INTERVAL_MS: `${TICK_MS}` };
  await withSides([startParley(bench, settings), startParley(bench, settings)], async (...sides) => {
    const names = ['with windows', 'without windows'];
    const campaigns: RunningCampaign[] = [];
    for (const [index, side] of sides.entries()) {
      const campaign = await startCampaign(bench, { ...side, name: names[index] as string }, index === 0);
      await untilQueued(bench, side, countDispatched(bench));
      await takeBack(bench, campaign);
      campaigns.push(campaign);
    }
    const of = (side: Side) => campaigns[sides.indexOf(side)] as RunningCampaign;
    const dispatched = await interleave(bench, sides, (side) => dispatch(bench, of(side)));
    printRatio('CPU time with windows ÷ without', 'µs a dispatched recipient', dispatched, cpuSum);
    dispatched.forEach(printCost);
    const ticks = await interleave(bench, sides, (side) => idle(bench, of(side)));
    printRatio('CPU time with windows ÷ without', 'µs an idle tick', ticks, cpuSum);
    ticks.forEach(printCost);
  });
}

export const windows: Benchmark = {
  name: 'windows',
  title: `dispatching from ${RECIPIENTS.toLocaleString('en')} recipients with windows in ${ZONES.length} zones, and without`,
  onRequest: true,
  run,
};
