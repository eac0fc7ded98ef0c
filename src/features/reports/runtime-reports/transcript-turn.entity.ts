import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type Speaker, SPEAKERS, type ToolUse } from '../../../platform/messaging/wire';
import { CallTranscript } from './call-transcript.entity';

export { type Speaker, SPEAKERS, type ToolUse };

/** The words of one party, or the use of a tool. */
@Entity('transcript_turns')
@Check('transcript_turns_speaker_known', `speaker = ANY ('{${SPEAKERS.join()}}')`)
export class TranscriptTurn {
  @PrimaryColumn('uuid') conversationId: string;

  @ManyToOne(() => CallTranscript, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'conversation_id', referencedColumnName: 'conversationId' })
  transcript: CallTranscript;

  /** The order of the turns, chosen by the runtime. */
  @PrimaryColumn('integer') sequence: number;

  @Column('text') speaker: Speaker;

  @Column('text') text: string;

  @Column({ type: 'timestamptz', precision: 3 }) startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) endedAt: Date | null;

  @Column('jsonb', { nullable: true }) tool: ToolUse | null;
}
