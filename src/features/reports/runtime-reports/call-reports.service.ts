import { Injectable, Logger } from '@nestjs/common';
import { jsonBytes } from '../../../platform/validation/json-bytes';
import { storableText } from '../../../platform/validation/storable';
import type {
  CallAnalyzedDto,
  CallRecordedDto,
  CallTranscriptDto,
  CallWarningDto,
  TurnDto,
} from './call-reports.dto';
import { CallReportsRepository, type NewTurn } from './call-reports.repository';
import { isRehearsalId } from '../../calls/model/rehearsal-id';
import type { ReportedCriterion } from '../../../platform/messaging/wire';
import type { ReportedCriteria } from './call-analysis.entity';
import type { ToolUse } from './transcript-turn.entity';

/**
 * The limits of the text of a turn, in characters, and of the arguments and the result of a tool as JSON, in bytes.
 */
const MAX_TEXT_LENGTH = 8_000;

/** Stores the reports of runtimes that do not change the state of a call. */
@Injectable()
export class CallReportsService {
  private readonly logger = new Logger(CallReportsService.name);

  constructor(private readonly reports: CallReportsRepository) {}

  async addTurns({ conversation_id, token, turns }: CallTranscriptDto): Promise<void> {
    const stored = turns.map(toTurn);
    const truncated = stored.some((turn, index) => isCut(turn, turns[index] as TurnDto));
    const id = conversation_id.toLowerCase();
    if (!(await this.reports.addTurns({ id, token, turns: stored, truncated })))
      this.ignore('transcript', id);
  }

  async setRecording({
    conversation_id,
    token,
    recording_url,
    duration_sec,
  }: CallRecordedDto): Promise<void> {
    const id = conversation_id.toLowerCase();
    const recording = { id, token, url: recording_url, durationSec: duration_sec ?? null };
    if (!(await this.reports.setRecording(recording))) this.ignore('recording', id);
  }

  async setAnalysis({ conversation_id, token, fields, criteria, opt_out }: CallAnalyzedDto): Promise<void> {
    const id = conversation_id.toLowerCase();
    const reported = criteria ? toCriteria(criteria) : null;
    const analysis = { id, token, fields, criteria: reported, optOut: opt_out ?? false };
    if (!(await this.reports.setAnalysis(analysis))) this.ignore('analysis', id);
  }

  async addWarning({ conversation_id, token, code, text, occurred_at }: CallWarningDto): Promise<void> {
    const id = conversation_id.toLowerCase();
    const warning = { id, token, code, text, occurredAt: occurred_at };
    if (!(await this.reports.addWarning(warning))) this.ignore('warning', id);
  }

  private ignore(report: string, conversationId: string): void {
    // A rehearsal keeps none of these reports: it has facts.
    if (isRehearsalId(conversationId)) return;
    this.logger.warn(
      { conversationId },
      `Ignored the ${report} of a call: it has another token, or ended too long ago`,
    );
  }
}

/** Leaves out what a newer runtime may report beside. */
const toCriteria = (criteria: Record<string, ReportedCriterion>): ReportedCriteria =>
  Object.fromEntries(
    Object.entries(criteria).map(([name, { pass, turns = [], reason = '' }]) => [
      name,
      { pass, turns, reason },
    ]),
  );

const toTurn = ({ sequence, speaker, text, started_at, ended_at, tool }: TurnDto): NewTurn => ({
  sequence,
  speaker,
  text: storableText(text, MAX_TEXT_LENGTH),
  startedAt: started_at,
  endedAt: ended_at ?? null,
  tool: tool ? toTool(tool) : null,
});

const toTool = ({ name, ...values }: ToolUse): ToolUse => ({
  name,
  ...('arguments' in values && { arguments: shortened(values.arguments) }),
  ...('result' in values && { result: shortened(values.result) }),
});

/** A value that is too large becomes its JSON text, or the beginning of it. */
function shortened(value: unknown): unknown {
  return jsonBytes(value) <= MAX_TEXT_LENGTH
    ? value
    : storableText(JSON.stringify(value) ?? 'null', MAX_TEXT_LENGTH);
}

const isCut = ({ text, tool }: NewTurn, sent: TurnDto): boolean =>
  text !== sent.text || tool?.arguments !== sent.tool?.arguments || tool?.result !== sent.tool?.result;
