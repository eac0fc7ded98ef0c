import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../support/client';
import { ALWAYS, closedNow } from '../../support/calling-windows';
import { csv, postForm } from '../../support/campaigns';
import { until } from '../../support/until';
import type { Installation } from './installation';
import { LATE_MS } from '../harness/numbers';
import type { AgentClient } from '../harness/start';

/** The number of further attempts after a busy line. The runtime finds every number busy that ends with 7. */
export const MAX_RETRIES = 2;

const RETRY = { on: ['dial_busy'], max: MAX_RETRIES, afterMinutes: [0] };
const OPEN = { windows: ALWAYS };

/** The length of a pause or a closed window: some ticks of the runner. */
const HELD_MS = 200;
const LIST_EVERY_MS = 100;
const READ_EVERY_MS = 100;
/** The number of calls that are queued at once. */
const QUEUED = 5;
const MIN_LISTED = 5;
/** One in this many numbers of a campaign is put on the do-not-call list. */
const LISTED_SHARE = 3;
/** The number of calls that the runtime takes at once when nothing is steered any more. */
const FULL_CONCURRENCY = 100;
const MIN_CONCURRENCY = 10;
/** The number is low, so that the campaign still has recipients when it is cancelled. */
const CANCELLED_CONCURRENCY = 3;
const CANCELLED_SHARE = 5;
const ANSWER_TIMEOUT_MS = 5_000;
const RECOVERY_TIMEOUT_MS = 180_000;

const OPT_OUTS = `
  SELECT phone_number AS number, clock_timestamp() AS at FROM do_not_call
  WHERE source = 'opt_out' AND phone_number = ANY ($1)`;

/** A time in which no claim of a campaign, or of a number, may be granted, in milliseconds by a single clock. */
export interface Forbidden {
  what: string;
  campaignId?: string;
  number?: string;
  from: number;
  /** null: for ever */
  until: number | null;
}

type Counts = Record<string, number>;

/**
 * Two campaigns with retries: one that is paused, resumed, closed and opened, and one that is cancelled. Meanwhile
 * numbers get onto the do-not-call list, and all answers are kept that promise that nobody is dialled.
 */
export class SteeredCampaigns {
  readonly forbidden: Forbidden[] = [];
  /** Answers whose counts do not add up to the recipients. */
  readonly wrongCounts: object[] = [];
  steeredId = '';
  cancelledId = '';
  private readonly agent: AgentClient;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly installation: Installation,
    readonly numbers: string[],
  ) {
    this.agent = installation.agents.at(-1) as AgentClient;
  }

  /** Resolves when both campaigns exist. */
  async begin(): Promise<void> {
    const share = Math.ceil(this.numbers.length / CANCELLED_SHARE);
    const concurrency = Math.max(MIN_CONCURRENCY, this.numbers.length / 20);
    this.steeredId = await this.create(this.numbers.slice(share), concurrency);
    this.cancelledId = await this.create(this.numbers.slice(0, share), CANCELLED_CONCURRENCY);
    this.running = Promise.all([
      this.steer(),
      this.cancel(),
      this.list(),
      this.keepReadingCounts(),
      this.watchOptOuts(),
    ]);
  }

  /** Resolves when everything was done at least once, and the campaign may continue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.patch({ concurrency: FULL_CONCURRENCY });
  }

  get ids(): string[] {
    return [this.steeredId, this.cancelledId];
  }

  private async create(numbers: string[], concurrency: number): Promise<string> {
    const { api, agentId } = this.agent;
    const { status, body } = await postForm(api, [
      ['campaignName', `Steered ${numbers[0]}`],
      ['assistantId', agentId],
      ['concurrency', String(concurrency)],
      ['retry', JSON.stringify(RETRY)],
      ['windows', JSON.stringify(ALWAYS)],
      ['file', csv(['phone_number', ...numbers].join('\n'))],
    ]);
    if (status !== 201) throw new Error(`A campaign was answered ${status}: ${JSON.stringify(body)}`);
    return body.data.campaign_id as string;
  }

  /** Pauses and closes the campaign in turn, each once at least. */
  private async steer(): Promise<void> {
    const resume = () => this.post(this.steeredId, 'resume');
    const open = () => this.patch(OPEN);
    for (let turn = 0; turn < 2 || !this.stopping.signal.aborted; turn += 1) {
      const isPause = turn % 2 === 0;
      const isOver = await this.inTurn(async () => {
        const status = isPause
          ? await this.post(this.steeredId, 'pause')
          : await this.patch({ windows: closedNow() });
        if (status === 'completed') return true;
        await (isPause ? this.hold('paused', resume) : this.hold('outside its windows', open));
        await pause(HELD_MS);
        return false;
      });
      if (isOver) return;
    }
  }

  /** The works take turns: a pause would take back the calls whose numbers are being listed. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Records that nobody may be dialled from now until the request that ends it. */
  private async hold(what: string, end: () => Promise<unknown>): Promise<void> {
    const from = Date.now();
    await pause(HELD_MS);
    this.forbidden.push({ what, campaignId: this.steeredId, from, until: Date.now() });
    await end();
  }

  private async cancel(): Promise<void> {
    await pause(Math.random() * HELD_MS);
    if ((await this.post(this.cancelledId, 'cancel')) === 'completed') return;
    this.forbidden.push({ what: 'cancelled', campaignId: this.cancelledId, from: Date.now(), until: null });
  }

  /** Lists numbers whose call waits for a runtime, or else one that waits for a call. */
  private async list(): Promise<void> {
    const listed = new Set<string>();
    const unlisted = async (status: string, limit: number) => {
      const path = `/api/campaign/${this.steeredId}/recipients?status=${status}&limit=${limit}`;
      const { body } = await this.answered('GET', path);
      const numbers = (body.data as { phone_number: string }[]).map(({ phone_number }) => phone_number);
      return numbers.filter((number) => !listed.has(number));
    };
    const listOne = async (number: string) => {
      await this.answered('POST', '/api/do-not-call', { phone_number: number });
      this.forbidden.push({ what: 'listed', number, from: Date.now(), until: null });
    };
    const isOver = () => this.stopping.signal.aborted && listed.size >= MIN_LISTED;
    while (!isOver() && listed.size < this.numbers.length / LISTED_SHARE) {
      const isLast = await this.inTurn(async () => {
        let numbers = await unlisted('queued', QUEUED);
        const areQueued = numbers.length > 0;
        if (!areQueued) numbers = await unlisted('pending', 1);
        for (const number of numbers) listed.add(number);
        await Promise.all(numbers.map(listOne));
        if (areQueued) await pause(LATE_MS);
        return numbers.length === 0;
      });
      if (isLast) return;
      await pause(LIST_EVERY_MS);
    }
  }

  /** An attempt without an answer may have worked, so the next one may be refused. @returns the status */
  private async post(id: string, verb: string): Promise<string> {
    const { status, body } = await this.answered('POST', `/api/campaign/${id}/${verb}`);
    if (status === 200) return body.data.status as string;
    return (await this.answered('GET', `/api/campaign/${id}`)).body.data.status as string;
  }

  private async patch(changes: object): Promise<string> {
    const { status, body } = await this.answered('PATCH', `/api/campaign/${this.steeredId}`, changes);
    return status === 409 ? 'completed' : (body.data.status as string);
  }

  /** Repeats a request until the server has answered it, and not with a failure of its own. */
  private answered(method: string, path: string, body?: object): Promise<Answer> {
    return until(async () => {
      const answer = await this.send(method, path, body);
      return answer !== undefined && answer.status < 500 && answer.status !== 429 && answer;
    }, RECOVERY_TIMEOUT_MS);
  }

  private send(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const init = {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    };
    // There is no answer, because the fault cut it.
    return this.agent.api.raw(path, init).catch(() => undefined);
  }

  /** Checks the counts of both campaigns, now. */
  async readCounts(): Promise<void> {
    for (const id of this.ids) {
      const answer = await this.send('GET', `/api/campaign/${id}`);
      if (answer?.status === 200) this.addIfWrong(answer.body.data);
    }
  }

  private async keepReadingCounts(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.readCounts();
      await pause(READ_EVERY_MS);
    }
  }

  private addIfWrong(campaign: { progress: Counts; recipientCount: number }): void {
    const { progress, recipientCount } = campaign;
    const counts = Object.values(progress);
    const sum = counts.reduce((total, count) => total + count, 0);
    if (sum !== recipientCount || counts.some((count) => count < 0)) this.wrongCounts.push(campaign);
  }

  /** Records the first time at which an opt-out that a runtime reported is visible. */
  private async watchOptOuts(): Promise<void> {
    const known = new Set<string>();
    while (!this.stopping.signal.aborted) {
      const seen = await this.installation
        .rows<{ number: string; at: Date }>(OPT_OUTS, [this.numbers])
        // Postgres is killed, too.
        .catch(() => []);
      for (const { number, at } of seen.filter((entry) => !known.has(entry.number))) {
        known.add(number);
        this.forbidden.push({ what: 'opted out', number, from: at.getTime(), until: null });
      }
      await pause(READ_EVERY_MS);
    }
  }
}
