import { checkCalls, type Call } from './call-invariants';
import { checkCampaigns } from './campaign-invariants';
import { checkCredits } from './credit-invariants';
import { type Installation, WEBHOOK_PATH } from './installation';
import { Load } from './load';
import { Numbers } from './numbers';
import { checkQueues } from './queue-invariants';
import { type Upload, upload } from './recipients';
import { letKeysGo, settle } from './settling';
import type { Line, Start } from './start';
import type { Violation } from './violation';
import { checkWebhooks } from './webhook-invariants';

const RECIPIENTS = 20;

/** Calls that must be answered before the fault, and again after it. */
const ANSWERED = 10;

/** What a fault asks of those who look at what is left of it. */
export interface Aftermath {
  /** There is a time without a runtime, long enough for calls to expire. */
  expiresCalls?: true;
  /** Nothing is hurried on: what was left behind comes back at its own time, half a minute later. */
  unhurried?: true;
}

/** One fault under load, with what came of it. */
export class Round {
  readonly load: Load;
  readonly uploads: Upload[] = [];
  private readonly firstNumber: string;
  private readonly firstWebhook: number;

  constructor(
    readonly installation: Installation,
    private readonly numbers: Numbers,
    private readonly aftermath: Aftermath,
  ) {
    this.firstNumber = numbers.next();
    this.firstWebhook = installation.receiver.received.length;
    this.load = new Load(installation.lines, numbers, installation.receiver.url(WEBHOOK_PATH));
  }

  /** @param strike resolves when everything is up again */
  async run(strike: () => Promise<void>): Promise<void> {
    await this.uploadDue();
    this.load.begin();
    try {
      await this.load.answered(ANSWERED);
      await strike();
      await this.load.answered(ANSWERED);
    } finally {
      await this.load.stop();
    }
    const { unhurried } = this.aftermath;
    if (!unhurried) await letKeysGo(this.installation);
    await this.load.sendAgain();
    await settle(this.installation, unhurried);
  }

  get starts(): Start[] {
    return this.load.starts;
  }

  uploadDue(): Promise<void> {
    return this.upload(RECIPIENTS, { due: true });
  }

  uploadUnscheduled(recipients: number): Promise<void> {
    return this.upload(recipients, { due: false });
  }

  async violations(): Promise<Violation[]> {
    const calls = await this.calls();
    return [
      ...checkCalls(
        calls,
        this.starts,
        this.dialled(),
        this.installation.workerId,
        this.aftermath.expiresCalls,
      ),
      ...(await checkCredits(this.installation, this.firstNumber)),
      ...(await checkCampaigns(this.installation, this.uploads)),
      ...(await checkWebhooks(this.installation, this.firstNumber, this.webhooks())),
      ...(await checkQueues(this.installation)),
    ];
  }

  /** What was dialled in this round. */
  dialled() {
    return this.installation.dialLog.read().filter(({ number }) => number >= this.firstNumber);
  }

  private webhooks() {
    return this.installation.receiver.received.slice(this.firstWebhook);
  }

  private calls(): Promise<Call[]> {
    return this.installation.rows<Call>(
      `SELECT id, to_number, status, disconnect_reason, campaign_id, worker_id FROM conversations
       WHERE to_number >= $1`,
      [this.firstNumber],
    );
  }

  private async upload(recipients: number, options: { due: boolean }): Promise<void> {
    const { api, agentId } = this.installation.lines[0] as Line;
    const numbers = this.numbers.several(recipients);
    this.uploads.push(await upload(api, agentId, `Campaign ${numbers[0]}`, numbers, options));
  }
}
