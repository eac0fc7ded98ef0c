import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { callNotFound } from '../../calls/model/calls.errors';
import type { Caller } from '../../../platform/http/access';
import { declaredSuccess } from '../../../platform/http/envelope';
import { StreamedAnswers } from '../../../platform/http/streamed-answers';
import { type CallId, toCallId } from '../filter/call-filter';
import type { TranscriptTurnDto } from './call-records.dto';
import { createTurnPresenter } from './call-records.presenter';
import { TranscriptsRepository } from './transcripts.repository';

/** The beginning of a transcript. */
export interface ReadTranscript {
  turns: TranscriptTurnDto[];
  /** The call has ended, and all turns that the runtime counted are there. */
  isComplete: boolean;
  /** More turns are stored. */
  isCut: boolean;
}

/** Writes transcripts to responses. A transcript may have 100 MB, so it is never in memory as a whole. */
@Injectable()
export class TranscriptsService {
  constructor(
    private readonly transcripts: TranscriptsRepository,
    private readonly answers: StreamedAnswers,
  ) {}

  /** @throws 404, 503 if the workspace reads too many transcripts */
  write(caller: Caller, callId: string, context: ExecutionContext, response: Response): Promise<void> {
    return this.answers.write(context, response, {
      kind: 'transcript',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      parts: this.writeTexts(toCallId(caller, callId), { ...declaredSuccess(context) }),
    });
  }

  /**
   * Reads the first turns.
   * @param maxLength of their texts together, in characters
   * @throws 404
   */
  async read(caller: Caller, callId: string, maxLength: number): Promise<ReadTranscript> {
    const id = toCallId(caller, callId);
    const state = await this.transcripts.find(id);
    if (!state) throw callNotFound();
    const turns: TranscriptTurnDto[] = [];
    const present = createTurnPresenter();
    let length = 0;
    for await (const batch of this.transcripts.turns(id.callId)) {
      for (const turn of batch) {
        length += turn.text.length;
        if (length > maxLength) return { turns, isComplete: false, isCut: true };
        turns.push(present(turn));
      }
    }
    const { countedTurns } = state;
    return { turns, isComplete: countedTurns !== null && turns.length >= countedTurns, isCut: false };
  }

  /** Writes the answer in its envelope, whose last object is the data. */
  private async *writeTexts(id: CallId, envelope: object): AsyncGenerator<string, void> {
    const state = await this.transcripts.find(id);
    if (!state) throw callNotFound();
    let text = `${JSON.stringify({ ...envelope, data: {} }).slice(0, -'}}'.length)}"turns":[`;
    let count = 0;
    const present = createTurnPresenter();
    for await (const turns of this.transcripts.turns(id.callId)) {
      yield text + turns.map((turn) => JSON.stringify(present(turn))).join();
      text = ',';
      count += turns.length;
    }
    // Turns may have arrived since the state was read, and one of them may have been cut.
    const after = await this.transcripts.find(id);
    // The call was deleted meanwhile.
    if (!after || count < state.turns) throw callNotFound();
    const { countedTurns, truncated } = after;
    const complete = countedTurns !== null && count >= countedTurns;
    yield `${count === 0 ? text : ''}],"complete":${complete},"truncated":${truncated}}}`;
  }
}
