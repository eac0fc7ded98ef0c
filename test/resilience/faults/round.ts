import { checkCalls, checkKeptEnds, type Call } from '../harness/call-invariants';
import { checkCampaigns } from '../harness/campaign-invariants';
import { checkCredits } from '../harness/credit-invariants';
import { type Installation, WEBHOOK_PATH } from './installation';
import { checkIncoming, checkTranscripts } from '../harness/incoming-invariants';
import { IncomingLoad } from '../harness/incoming-load';
import { Load } from '../harness/load';
import { PhoneNumbers } from '../harness/numbers';
import { checkQueues } from '../harness/queue-invariants';
import { type Upload, upload } from '../harness/recipients';
import { Restores } from './restores';
import { expireKeyLeases, settle } from '../harness/settling';
import { SteeredCampaigns } from './steered-campaigns';
import { checkSteered } from './steered-invariants';
import { isToolRequest, readToolRequest } from '../harness/shop';
import type { AgentClient, Start } from '../harness/start';
import { checkTools, type Invocation, readInvocations } from './tool-invariants';
import type { Violation } from '../harness/violation';
import { checkWebhooks } from '../harness/webhook-invariants';

const RECIPIENTS = 20;

/** This many calls must be answered before the fault, and again after it. */
const ANSWERED = 10;

/** The changes that a fault makes to what the suite does and checks after it. */
export interface FaultEffects {
  /** Whether calls expire, because no runtime is running for some time. */
  expiresCalls?: true;
  /** Whether the suite expires no leases; the recovery takes half a minute. */
  inRealTime?: true;
}

/** One fault under load, and its results. */
export class Round {
  readonly load: Load;
  readonly incoming: IncomingLoad;
  readonly steered: SteeredCampaigns;
  readonly restores: Restores;
  readonly uploads: Upload[] = [];
  /** The invocations of tools in its calls, once its violations were searched. */
  invocations: Invocation[] = [];
  private readonly firstNumber: string;
  private readonly firstRequest: number;

  constructor(
    readonly installation: Installation,
    private readonly numbers: PhoneNumbers,
    private readonly effects: FaultEffects,
    recipients: number,
  ) {
    this.firstNumber = numbers.next();
    this.firstRequest = installation.receiver.received.length;
    this.steered = new SteeredCampaigns(installation, numbers.nextRetried(recipients));
    this.restores = new Restores(installation);
    this.incoming = new IncomingLoad(installation, numbers);
    this.load = new Load(installation.agents, numbers, installation.receiver.url(WEBHOOK_PATH));
  }

  /** @param inject resolves when everything runs again */
  async run(inject: () => Promise<void>): Promise<void> {
    await this.uploadDue();
    await this.steered.begin();
    this.load.begin();
    this.incoming.begin();
    try {
      await this.load.answered(ANSWERED);
      await inject();
      await this.load.answered(ANSWERED);
    } finally {
      await Promise.all([this.load.stop(), this.incoming.stop(), this.steered.stop()]);
    }
    const { inRealTime } = this.effects;
    if (!inRealTime) await expireKeyLeases(this.installation);
    await this.load.repeatRequests();
    await this.restores.repeat();
    await settle(this.installation, inRealTime);
  }

  get starts(): Start[] {
    return this.load.starts;
  }

  uploadDue(): Promise<void> {
    return this.upload(RECIPIENTS, { due: true });
  }

  uploadForLater(recipients: number): Promise<void> {
    return this.upload(recipients, { due: false });
  }

  async violations(): Promise<Violation[]> {
    const calls = await this.calls();
    this.invocations = await readInvocations(this.installation, this.firstNumber);
    return [
      ...checkCalls(calls, this.starts, this.dialled(), this.installation.workerIds, {
        mayExpire: this.effects.expiresCalls,
        steered: this.steered.ids,
        retried: this.numbers.retried,
      }),
      ...checkKeptEnds(calls, this.ended()),
      ...(await checkCredits(this.installation, this.firstNumber)),
      ...(await checkIncoming(this.installation, this.incoming.received)),
      ...(await checkTranscripts(this.installation, this.firstNumber)),
      ...(await checkCampaigns(this.installation, this.uploads)),
      ...(await checkSteered(this.installation, this.steered)),
      ...(await this.restores.violations()),
      ...(await checkWebhooks(this.installation, this.firstNumber, this.webhooks())),
      ...checkTools(
        this.invocations,
        this.received().filter(isToolRequest).map(readToolRequest),
        this.installation.toldLog.read(),
      ),
      ...(await checkQueues(this.installation)),
    ];
  }

  /** The calls that were dialled in this round. */
  dialled() {
    return this.installation.dialLog.read().filter(({ number }) => number >= this.firstNumber);
  }

  /** The calls of this round whose end a worker has kept. */
  ended() {
    return this.installation.endLog.read().filter(({ number }) => number >= this.firstNumber);
  }

  private webhooks() {
    return this.received().filter(({ path }) => path === WEBHOOK_PATH);
  }

  /** The requests of servers to the webhooks and to the shop. */
  private received() {
    return this.installation.receiver.received.slice(this.firstRequest);
  }

  private calls(): Promise<Call[]> {
    return this.installation.rows<Call>(
      `SELECT id, to_number, status, disconnect_reason, campaign_id, worker_id FROM conversations
       WHERE to_number >= $1 AND incoming_claim_id IS NULL`,
      [this.firstNumber],
    );
  }

  private async upload(recipients: number, options: { due: boolean }): Promise<void> {
    const { api, agentId } = this.installation.agents[0] as AgentClient;
    const numbers = this.numbers.nextMany(recipients);
    this.uploads.push(await upload(api, agentId, `Campaign ${numbers[0]}`, numbers, options));
  }
}
