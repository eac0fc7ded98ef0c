import { Inject, Injectable } from '@nestjs/common';
import { resolveAgent } from '@parley/voice';
import type { CallStart } from '@parley/worker';
import { CONFIG, type Config } from '../../config';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/http/access';
import { AgentsService } from '../agents/agents.service';
import { callNotFound } from '../calls/model/calls.errors';
import { CallRecordsService } from '../reports/call-records/call-records.service';
import { TranscriptsService } from '../reports/call-records/transcripts.service';
import { type AskedModel, askModel } from './ask-model';
import { type AskedTurn, findAskedTurns } from './dialogue';
import { TrialPermits } from './trial-permits';
import type { TrialDto, TriedTurnDto, TryPromptDto } from './trials.dto';

/** The number of turns of the person that are tried. */
const MAX_TURNS = 20;
/** The length of the texts that are read, in characters. */
const MAX_LENGTH = 40_000;
/** The number of requests to the model at once. */
const AT_ONCE = 4;
const LONGEST_MS = 45_000;

/** Asks the language model of a call to answer again what was said in it, by a changed prompt. Stores no answers. */
@Injectable()
export class TrialsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly records: CallRecordsService,
    private readonly transcripts: TranscriptsService,
    private readonly quotas: QuotasService,
    private readonly permits: TrialPermits,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 404, 403 after too many trials, 503 while another one of the workspace runs */
  async run(
    caller: Caller,
    agentId: string,
    { call_id, prompt }: TryPromptDto,
    clientGone: AbortSignal,
  ): Promise<TrialDto> {
    const { workspaceId } = caller;
    const { id, name } = await this.agents.find(workspaceId, agentId);
    const call = await this.records.findStart(caller, call_id, { prompt });
    if (call.agentId !== id) throw callNotFound();
    const release = await this.permits.acquire(workspaceId, { abortSignal: () => clientGone });
    try {
      await this.count(workspaceId, call_id, name);
      const transcript = await this.transcripts.read(caller, call_id, MAX_LENGTH);
      const { asked, isTruncated } = findAskedTurns(transcript, MAX_TURNS);
      const { wanted, model } = this.findModel(call.start);
      const tried = { call_id, provider: wanted, truncated: isTruncated };
      if (typeof model === 'string') return { ...tried, model: '', missing: model, turns: [] };
      const signal = AbortSignal.any([clientGone, AbortSignal.timeout(LONGEST_MS)]);
      return { ...tried, model: model.model, missing: null, turns: await this.answer(asked, model, signal) };
    } finally {
      release();
    }
  }

  /** The entry of the audit is what a day's trials are counted by. */
  private count(workspaceId: string, callId: string, agentName: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await this.quotas.assertWithinQuota(workspaceId, 'trials', transaction);
      transaction.targetName = agentName;
      transaction.change = { call_id: callId };
    });
  }

  /** @returns the model, or what must be set before it can be asked */
  private findModel(start: CallStart): { wanted: string; model: AskedModel | string } {
    const { llmConfig, aiModel } = start.agent;
    const wanted = llmConfig.provider || aiModel.provider;
    const { plan } = resolveAgent(start, { models: new Set(this.config.models.keys()), isWritten: true });
    const server = this.config.models.get(plan.language.provider);
    if (server)
      return { wanted, model: { ...server, ...plan.language, provider: wanted, prompt: plan.prompt } };
    return { wanted, model: nameSetting(wanted) };
  }

  private async answer(asked: AskedTurn[], model: AskedModel, signal: AbortSignal): Promise<TriedTurnDto[]> {
    const turns: TriedTurnDto[] = [];
    let next = 0;
    const work = async () => {
      for (let index = next++; index < asked.length; index = next++) {
        const { said, ...turn } = asked[index] as AskedTurn;
        turns[index] = { ...turn, ...(await askModel(model, said, signal)) };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return turns;
  }
}

/** The setting of the server without which the provider of an agent cannot be asked. */
function nameSetting(provider: string): string {
  if (provider === '' || provider === 'local') return 'llmConfig.provider';
  if (provider === 'openai') return 'LLM_BASE_URL';
  return `${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_BASE_URL`;
}
