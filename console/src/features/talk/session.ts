import { isServerThere } from '../../api/connection';
import { client } from '../../api/client';
import { MicrophoneError, type MicrophoneProblem, Sound } from '../../domain/audio/sound';
import { decodePcm } from '../../domain/audio/pcm';
import type { ConversationEvent } from './conversation';
import type { RuntimeFrame } from './protocol/frames';
import { type ConnectionEnd, VoiceClient } from './protocol/voice-client';

const PREPARING_MS = 30_000;
const POLL_MS = 500;

export type Way = 'speaking' | 'writing';

/** A problem that its text alone describes. */
type PlainProblem =
  MicrophoneProblem | 'noRuntime' | 'allBusy' | 'notTaken' | 'rejected' | 'runtimeGone' | 'network';

/** Why there is no conversation, or none any more. */
export type Problem =
  | { kind: PlainProblem }
  | { kind: 'unreachable'; host: string }
  | { kind: 'elsewhere'; url: string }
  | { kind: 'error'; error: unknown };

export type SessionEvent =
  | { event: 'conversation'; change: ConversationEvent }
  | { event: 'asking' }
  | { event: 'starting' }
  | { event: 'started'; callId: string; host: string }
  | { event: 'microphone-lost' }
  | { event: 'over'; callId: string }
  | { event: 'failed'; problem: Problem; callId?: string };

export interface TalkRequest {
  agentId: string;
  /** Left out: the version that calls use. */
  version?: number;
  way: Way;
  variables: Record<string, string>;
  /** The Idempotency-Key. */
  key: string;
}

/** One web call of this page, from the click to its end. */
export class TalkSession {
  private sound?: Sound;
  private connection?: VoiceClient;
  private callId?: string;
  private hasLeft = false;

  constructor(
    private readonly request: TalkRequest,
    private readonly tell: (event: SessionEvent) => void,
  ) {}

  /** Opens the microphone, and then starts the call: without a microphone, no call is started. */
  async run(): Promise<void> {
    try {
      if (this.request.way === 'speaking') await this.openSound();
      if (this.hasLeft) return;
      await this.startCall();
    } catch (error) {
      const problem: Problem =
        error instanceof MicrophoneError ? { kind: error.problem } : { kind: 'error', error };
      this.fail(problem);
    } finally {
      if (this.hasLeft) this.release();
    }
  }

  level(who: 'user' | 'agent'): number {
    return this.sound?.level(who) ?? 0;
  }

  setMuted(isMuted: boolean): void {
    this.sound?.setMuted(isMuted);
  }

  write(text: string): void {
    this.connection?.sendText(text);
  }

  /** The server hangs up if the runtime can't be reached. */
  hangUp(): void {
    if (this.connection?.isOpen === false) void this.hangUpByServer();
    this.connection?.hangUp();
  }

  /** Hangs up, because the person leaves the page. */
  leave(): void {
    this.hasLeft = true;
    this.connection?.leave();
    this.release();
  }

  private async openSound(): Promise<void> {
    this.tell({ event: 'asking' });
    this.sound = await Sound.open({
      frame: (samples) => this.connection?.sendAudio(samples),
      marks: (names) => names.forEach((name) => this.connection?.sendMark(name)),
      microphoneLost: () => this.tell({ event: 'microphone-lost' }),
    });
  }

  private async startCall(): Promise<void> {
    const { agentId, version, variables, key } = this.request;
    this.tell({ event: 'starting' });
    const { data } = await client.POST('/api/agents/{agent_id}/calls', {
      params: { path: { agent_id: agentId }, header: { 'Idempotency-Key': key } },
      body: {
        ...{ call_type: 'webcall', direction: 'outbound', dynamic_variables: variables },
        ...(version !== undefined && { agent_version: version }),
      },
    });
    if (!data) return;
    const { conversation_id } = data.data;
    this.callId = conversation_id;
    const join = data.data.join ?? (await this.laterJoin(conversation_id));
    if (this.hasLeft) return this.hangUpByServer();
    if (!join) return this.fail(await this.findWhyNotTaken());
    const { protocol, host } = new URL(join.url);
    if (!protocol.startsWith('ws')) return this.fail({ kind: 'elsewhere', url: join.url });
    this.tell({ event: 'started', callId: conversation_id, host });
    this.connection = new VoiceClient(join.url, this.sound !== undefined, {
      frame: (frame) => this.receive(frame),
      lost: () => {
        this.sound?.clear();
        this.tell({ event: 'conversation', change: { event: 'lost' } });
      },
      over: (end) => void this.finish(end, host),
    });
  }

  /** A runtime that has claimed the call may take longer to be ready than the server waits. */
  private async laterJoin(callId: string) {
    const deadline = performance.now() + PREPARING_MS;
    for (;;) {
      const { data } = await client.GET('/api/calls/{call_id}', { params: { path: { call_id: callId } } });
      if (data?.data.join) return data.data.join;
      if (data?.data.status !== 'accepted' || this.hasLeft || performance.now() > deadline) return undefined;
      await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
    }
  }

  private receive(frame: RuntimeFrame): void {
    switch (frame.event) {
      case 'media': {
        const samples = decodePcm(frame.payload);
        if (samples) this.sound?.play(samples);
        return;
      }
      case 'mark':
        return this.sound?.mark(frame.name);
      case 'clear':
        return this.sound?.clear();
      case 'ended':
        // The connection is closed next.
        return;
      case 'ready':
      case 'state':
      case 'metrics':
      case 'transcript':
        return this.tell({ event: 'conversation', change: frame });
    }
  }

  private async finish(end: ConnectionEnd, host: string): Promise<void> {
    this.release();
    const { callId = '' } = this;
    if (end === 'ended') this.tell({ event: 'over', callId });
    else if (end === 'refused') this.fail({ kind: 'rejected' });
    else if (!(await isServerThere())) this.fail({ kind: 'network' });
    else this.fail(end === 'lost' ? { kind: 'runtimeGone' } : { kind: 'unreachable', host });
  }

  private fail(problem: Problem): void {
    this.release();
    if (!this.hasLeft) this.tell({ event: 'failed', problem, callId: this.callId });
  }

  /** Finds out why no runtime has taken the call, and ends the call. */
  private async findWhyNotTaken(): Promise<Problem> {
    // A credential with scopes may not read the runtimes.
    const runtimes = await client.GET('/api/runtimes').catch(() => undefined);
    await this.hangUpByServer();
    const queues = runtimes?.data?.data.queues.filter(({ name }) => /\.calls\.(default|webcall)$/.test(name));
    if (!queues?.length) return { kind: 'notTaken' };
    return { kind: queues.some(({ consumers }) => consumers > 0) ? 'allBusy' : 'noRuntime' };
  }

  private async hangUpByServer(): Promise<void> {
    const { callId } = this;
    if (callId === undefined) return;
    // The call may have ended by itself; its page says how.
    await client
      .POST('/api/calls/{call_id}/hangup', { params: { path: { call_id: callId } } })
      .catch(() => undefined);
  }

  private release(): void {
    void this.sound?.close();
    this.sound = undefined;
  }
}
